"""Level G3: the solution in a sandbox of its own, started together with the grader's and ended with it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.adapters.graders.kits import SOLUTION
from denominator.ports import Ended, GradeOrder, Job, Mount, Sandbox, Stop

DOOR, NAME = "/door", "solution"
EXTRA_S = 10.0  # the grader's own budget ends a grading; this one only sees that nothing outlives it


@dataclass(frozen=True, slots=True)
class Either:
    """Set when one of them is."""

    stops: tuple[Stop | None, ...]

    def is_set(self) -> bool:
        """Is one of them set?"""
        return any(stop is not None and stop.is_set() for stop in self.stops)


def stage(folder: Path, kit: Path, order: GradeOrder, sandbox: Sandbox) -> tuple[Job, Mount]:
    """The solution's job, and the mount that shows the door to the grader.

    The door is a folder of the grader's uid, which the solution sees read-only. Neither the runner nor a hidden test is
    ever mounted where the solution runs; the kit it sees is what serves it.
    """
    door = folder / "door"
    door.mkdir()
    door.chmod(0o755)
    sandbox.hand_over(door, role="grader", slot=order.slot)
    job = Job(
        argv=(
            order.python,
            "-I",
            "-S",
            "-B",
            "-X",
            "utf8",
            "/kit/main.py",
            "door",
            f"{DOOR}/{NAME}",
            "/graded",
            "/work",
        ),
        role="agent",  # the uid of hostile code: another one than the grader's
        slot=order.slot,
        limits=order.limits,
        mounts=(
            Mount(host=kit / SOLUTION, inside="/kit"),
            Mount(host=order.tree, inside="/graded"),
            Mount(host=door, inside=DOOR),
        ),
    )
    return job, Mount(host=door, inside=DOOR, writable=True)


def run_pair(sandbox: Sandbox, grader: Job, solution: Job, stop: Stop | None) -> tuple[Ended, Ended]:
    """How both ended. When the solution's sandbox does not start, its ending is also the grading's."""
    over, failed = threading.Event(), threading.Event()
    limits = replace(solution.limits, wall_s=grader.limits.wall_s + EXTRA_S)
    found: list[Ended | BaseException] = []

    def aside() -> None:
        try:
            ended = sandbox.run(replace(solution, limits=limits), Either((stop, over)))
        except BaseException as error:
            found.append(error)
            failed.set()
        else:
            found.append(ended)
            if ended.start_error:
                failed.set()

    thread = threading.Thread(target=aside, name="solution")
    thread.start()
    try:
        ended = sandbox.run(grader, Either((stop, failed)))
    finally:
        over.set()
        thread.join()
    beside = found[0]
    if isinstance(beside, BaseException):
        raise beside
    stopped = stop is not None and stop.is_set()
    return (beside if beside.start_error and not stopped else ended), beside
