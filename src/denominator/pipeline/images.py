"""The container images that tasks name: who needs which, and a sandbox that runs everything in one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from denominator.errors import InputError, Problem
from denominator.ports import Ended, Job, Sandbox, Stop
from denominator.records.envelopes import Envelope
from denominator.records.packs import FoundPack, LockedTask, Task

__all__ = ["in_image", "locked_images", "named_images", "of_task", "require_images"]

BACKEND = "docker"


class _InImage:
    """Another sandbox, with an image for every job that names none."""

    def __init__(self, sandbox: Sandbox, image: str) -> None:
        self._sandbox, self._image = sandbox, image
        self.name = sandbox.name
        self.facts, self.close = sandbox.facts, sandbox.close
        self.workspace, self.hand_over, self.discard = sandbox.workspace, sandbox.hand_over, sandbox.discard

    def run(self, job: Job, stop: Stop | None = None) -> Ended:
        """Run a job in the image."""
        return self._sandbox.run(job if job.image else replace(job, image=self._image), stop)


def in_image(sandbox: Sandbox, image: str) -> Sandbox:
    """The sandbox for a task's jobs; itself where the task names no image."""
    return _InImage(sandbox, image) if image else sandbox


def of_task(task: Task, locked: LockedTask) -> str:
    """The image that a sealed task runs in, as it was pinned; "" for the run's own."""
    return locked.image or task.environment.image


def locked_images(found: FoundPack) -> Mapping[str, str]:
    """What the lock says that each name meant."""
    pins = {task.id: task.image for task in found.lock.tasks} if found.lock else {}
    return {task.environment.image: pins[task.id] for task in found.pack.tasks if pins.get(task.id)}


def named_images(found: FoundPack) -> tuple[str, ...]:
    """The images that tasks name. Refuses a pack of which some tasks name one and others none: they have no common box."""
    names = {task.id: task.environment.image for task in found.pack.tasks}
    without = sorted(task for task, name in names.items() if not name)
    if without and len(without) < len(names):
        found_here = [Problem(f"tasks/{task}/task.toml", "names no image, other tasks do") for task in without]
        raise InputError(
            "the tasks run in images and outside of them",
            where=found.root,
            problems=found_here,
            fix="one for every task",
        )
    return tuple(sorted({name for name in names.values() if name}))


def require_images(envelope: Envelope, tasks: Sequence[Task], where: str) -> None:
    """Refuse an envelope whose sandbox has no images where tasks name one."""
    if envelope.sandbox.backend == BACKEND:
        return
    found = [
        Problem(f"tasks/{task.id}/task.toml: environment.image", f"{task.environment.image} needs containers")
        for task in tasks
        if task.environment.image
    ]
    if found:
        fix = f'[sandbox] backend = "{BACKEND}" in {where}, and an image for what no task runs'
        raise InputError("the sandbox of the envelope has no images", where=where, problems=found, fix=fix)
