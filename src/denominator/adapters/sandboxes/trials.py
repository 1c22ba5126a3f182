"""The trials behind the facts: each runs a small program in the sandbox and looks at what it could do."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from denominator.adapters.sandboxes import probes, seccomp
from denominator.adapters.sandboxes.cgroups import Cgroups
from denominator.adapters.sandboxes.layout import own_package
from denominator.adapters.sandboxes.workspaces import Workspaces
from denominator.ports import Ended, Job, Limits, Sandbox

__all__ = ["LIMITS", "Trial", "Tried"]

MEMORY = 128 << 20
DEATH_S = 20
LIMITS = Limits(
    wall_s=20,
    memory_bytes=MEMORY,
    processes=24,
    disk_bytes=16 << 20,
    file_bytes=1 << 20,
    open_files=128,
    output_bytes=65536,
)


class Tried(Sandbox, Protocol):
    """What is asked of the sandbox whose facts are found."""

    bwrap: str
    as_user: bool
    private_why: str
    workspaces: Workspaces

    @property
    def cgroups(self) -> Cgroups: ...


@dataclass(slots=True)
class Trial:
    """The trials of one sandbox, in a temporary folder. `harness` is a program that runs `probes.ORPHAN` in such a sandbox.

    It gets the folder of the package, the workspace and `words`.
    """

    sandbox: Sandbox
    python: str
    base: Path
    harness: str = probes.HARNESS
    words: tuple[str, ...] = ()

    def run(self, *argv: str, workdir: Path | None = None, report: bool = False) -> Ended:
        return self.sandbox.run(Job(argv=argv, role="agent", limits=LIMITS, workdir=workdir, report=report))

    @contextlib.contextmanager
    def workspace(self, name: str) -> Iterator[Path]:
        folder = self.sandbox.workspace(self.base / name, role="agent", slot=0, disk_bytes=LIMITS.disk_bytes)
        try:
            yield folder
        finally:
            self.sandbox.discard(folder)

    def seen(self) -> tuple[Ended, dict[str, Any]]:
        """What a program inside sees and can do, with a listener outside for it to reach."""
        with socket.socket() as listener, socket.socket(socket.AF_UNIX) as abstract:
            name = f"denominator-{secrets.token_hex(8)}"
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            abstract.bind(f"\0{name}")
            abstract.listen()
            port = str(listener.getsockname()[1])
            calls = ",".join(str(number) for number in seccomp.tried())
            ended = self.run(self.python, "-I", "-S", "-c", probes.SELF, port, name, calls, report=True)
        try:
            said: dict[str, Any] = json.loads(ended.report)
        except ValueError:
            said = {}
        return ended, said

    def memory(self) -> Ended:
        return self.run(self.python, "-I", "-S", "-c", probes.MEMORY, str(MEMORY))

    def disk(self) -> Ended:
        with self.workspace("disk") as folder:
            size = str(2 * LIMITS.disk_bytes)
            return self.run(self.python, "-I", "-S", "-c", probes.DISK, size, workdir=folder)

    def orphan_dies(self) -> bool:
        with self.workspace("orphan") as folder:
            self.run("sh", "-c", probes.ORPHAN, "sh", "0", workdir=folder)
            return _size(folder / "beat") > 0 and _still(folder / "beat", 0.1)

    def dies_with_harness(self) -> bool:
        """A harness of its own is killed with SIGKILL while a detached process of its sandbox writes a file."""
        folder = self.base / "harness"
        folder.mkdir(mode=0o700)
        self.sandbox.hand_over(folder, role="agent", slot=0)
        program = probes.WITH_PARENT.format(parent=os.getpid()) + self.harness
        words = [sys.executable, "-I", "-S", "-c", program, str(own_package().parent), str(folder), *self.words]
        harness = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            began = _soon(lambda: _size(folder / "beat") > 0, 20)
        finally:
            harness.kill()
            harness.wait()
        return began and _soon(lambda: _still(folder / "beat", 0.1), DEATH_S)


def _size(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0


def _still(path: Path, seconds: float) -> bool:
    before = _size(path)
    time.sleep(seconds)
    return _size(path) == before


def _soon(true: Callable[[], bool], patience_s: float) -> bool:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        if true():
            return True
        time.sleep(0.01)
    return False
