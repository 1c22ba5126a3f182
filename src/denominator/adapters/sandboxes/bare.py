"""No sandbox at all, for people who say `--no-sandbox` and mean it: every protection is absent, and that is recorded.

The command runs as the harness's own user. What a job names by its path inside (/work, /out, mounts, the socket)
is replaced by the host path where it stands alone or begins a word of the command line, the environment, or a text of
a JSON object on stdin.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from denominator.adapters.sandboxes.endings import ended, never_ran, start
from denominator.adapters.sandboxes.facts import NAMES
from denominator.adapters.sandboxes.layout import SOCKET, job_problems
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
    hosts = {mount.inside: mount.host for mount in job.mounts}
    hosts["/work"] = job.workdir or scratch / "work"
    if job.outdir:
        hosts["/out"] = job.outdir
    if job.socket:
        hosts[SOCKET] = job.socket
    env = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(scratch / "home"),
        "LANG": "C.UTF-8",
        "TMPDIR": str(scratch / "tmp"),
        "PYTHONPYCACHEPREFIX": str(scratch / "tmp/.pycache"),
    }
    own = {name: ":".join(_on_host(part, hosts) for part in value.split(":")) for name, value in job.env.items()}
    return Order(
        bwrap="",
        options=(),
        drop=(),
        limits=["ulimit -HSc 0"],
        argv=[_on_host(word, hosts) for word in job.argv],
        env={**env, **own},
        cwd=_on_host(job.cwd, hosts),
        stdin=_message_on_host(job.stdin, hosts),
        report=job.report,
    )


def _message_on_host(stdin: bytes, hosts: dict[str, Path]) -> bytes:
    """An order that comes on stdin as a JSON object may name paths inside too; any other input stays as it is."""
    try:
        message = json.loads(stdin)
    except ValueError:
        return stdin
    if not isinstance(message, dict):
        return stdin
    own = {name: _on_host(value, hosts) if isinstance(value, str) else value for name, value in message.items()}
    return json.dumps(own).encode()


def _on_host(word: str, hosts: dict[str, Path]) -> str:
    """The host's name of a path inside; any other word stays as it is."""
    for inside in sorted(hosts, key=len, reverse=True):
        if word == inside or word.startswith(f"{inside}/"):
            return os.fspath(hosts[inside]) + word[len(inside) :]
    return word


def _enforced(job: Job) -> dict[str, str]:
    absent = ("memory", "processes", "disk", "file", "open_files")
    return {
        "wall": f"{int(job.limits.wall_s * 1000)} ms harness",
        "output": f"{job.limits.output_bytes} harness, each of stdout and stderr",
        **dict.fromkeys(absent, "not enforced: no sandbox"),
    }
