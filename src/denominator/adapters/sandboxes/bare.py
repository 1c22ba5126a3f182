"""No sandbox at all, for people who say `--no-sandbox` and mean it: every protection is absent, and that is recorded.

The command runs as the harness's own user. What a job names by its path inside (/work, /out, mounts, the socket)
becomes the host path (`host_paths`).
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from denominator.adapters.sandboxes.endings import ended, never_ran, start
from denominator.adapters.sandboxes.facts import NAMES
from denominator.adapters.sandboxes.host_paths import list_on_host, message_on_host, on_host, places
from denominator.adapters.sandboxes.layout import job_problems
from denominator.adapters.sandboxes.removal import remove_tree
from denominator.adapters.sandboxes.spawn import Order, spawn
from denominator.adapters.sandboxes.supervise import Watch
from denominator.errors import MachineError
from denominator.ports import Ended, Job, Stop
from denominator.records.boxes import Protection, SandboxFacts
from denominator.records.envelopes import SandboxTerms
from denominator.wire.scratch import scratch_folder

__all__ = ["Bare"]


class Bare:
    """Runs commands without protection: wall limit, capped output; the process group is killed at the end."""

    name = "bare"

    def facts(self, terms: SandboxTerms) -> SandboxFacts:
        """Nothing is promised."""
        del terms
        absent = tuple(Protection(name=name, holds=False, how="not available: no sandbox") for name in NAMES)
        return SandboxFacts(name=self.name, version="none", mode="none", usable=True, protections=absent)

    def workspace(self, folder: Path, *, role: str, slot: int, disk_bytes: int) -> Path:
        """An empty folder; its size is not limited."""
        del role, slot, disk_bytes
        place = folder.parent.resolve(strict=True) / folder.name
        if place.exists() and any(place.iterdir()):
            raise MachineError("the workspace is not empty", where=str(place), fix="discard it first")
        place.mkdir(mode=0o700, exist_ok=True)
        return place

    def hand_over(self, folder: Path, *, role: str, slot: int) -> None:
        """Nothing to do: everything belongs to one user."""

    def discard(self, folder: Path) -> None:
        """Remove a folder and whatever was left in it."""
        remove_tree(folder)

    def close(self) -> None:
        """Nothing is kept."""

    def run(self, job: Job, stop: Stop | None = None) -> Ended:
        """Run one command. Processes that left its process group outlive it: that is what a sandbox is for."""
        job_problems(job)
        with contextlib.ExitStack() as undo:
            scratch = undo.enter_context(scratch_folder("bare", remove_tree))
            order = _order(job, scratch)
            spawned = spawn(order, ())
            undo.callback(spawned.close)
            watch = Watch(spawned=spawned, limits=job.limits, stop=stop, stdin=order.stdin)
            enforced = _enforced(job)
            if not start(watch):
                return never_ran(watch, enforced)
            watch.run()
            return ended(watch, enforced)


def _order(job: Job, scratch: Path) -> Order:
    for name in ("work", "home", "tmp"):
        (scratch / name).mkdir()
    hosts = places(job, scratch / "work")
    env = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(scratch / "home"),
        "LANG": "C.UTF-8",
        "TMPDIR": str(scratch / "tmp"),
        "PYTHONPYCACHEPREFIX": str(scratch / "tmp/.pycache"),
    }
    own = {name: list_on_host(value, hosts) for name, value in job.env.items()}
    return Order(
        bwrap="",
        options=(),
        drop=(),
        limits=["ulimit -HSc 0"],
        argv=[on_host(word, hosts) for word in job.argv],
        env={**env, **own},
        cwd=on_host(job.cwd, hosts),
        stdin=message_on_host(job.stdin, hosts),
        report=job.report,
    )


def _enforced(job: Job) -> dict[str, str]:
    absent = ("memory", "processes", "disk", "file", "open_files")
    return {
        "wall": f"{int(job.limits.wall_s * 1000)} ms harness",
        "output": f"{job.limits.output_bytes} harness, each of stdout and stderr",
        **dict.fromkeys(absent, "not enforced: no sandbox"),
    }
