"""One container that runs one command, as the watch sees it, and how it ended."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from denominator.adapters.sandboxes import kernel
from denominator.adapters.sandboxes.control_group import Group
from denominator.adapters.sandboxes.docker.client import Engine
from denominator.adapters.sandboxes.docker.gate import ENDED, FAILED, MISSING, READY, Gate
from denominator.adapters.sandboxes.endings import decode, made, who
from denominator.adapters.sandboxes.hierarchies import hierarchies
from denominator.adapters.sandboxes.spawn import Streams
from denominator.adapters.sandboxes.supervise import Watch
from denominator.errors import MachineError
from denominator.ports import Ended

__all__ = ["Contained", "ended"]

START_S = 60.0
LOOK_S = 0.5
KILLED = 128 + 9


@dataclass(slots=True, kw_only=True)
class Contained:
    """A created container. `pid` is its first process as this machine numbers it, 0 where it cannot be seen."""

    engine: Engine
    id: str
    gate: Gate
    pid: int = 0
    why: str = ""
    oom: bool = False
    code: int = -1
    ended_from_outside: bool = False
    _killed: bool = False
    _command: int = -1
    _first: int = -1
    _group: Group | None = None

    @property
    def outer(self) -> int:
        return self.gate.say

    @property
    def streams(self) -> Streams:
        return self.gate.streams

    def ready(self, stopped: Callable[[], bool]) -> bool:
        """Start it and wait for the gate; False when the command will never run: then `why` says why, if anything does."""
        self.engine.start(self.id)
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and not stopped():
            word = self.gate.heard(LOOK_S)
            if word is None:
                if not self._state().get("Running"):
                    self.why = "the container ended before the command started: has the image a /bin/sh?"
                    return False
                continue
            if word == READY:
                self._look_around()
                self.gate.opened()
                return True
            self.why = "there is no such command in the image" if word == MISSING else _words(word)
            return False
        self.why = "" if stopped() else "the container did not start in time"
        return False

    def _state(self) -> Mapping[str, object]:
        state = self.engine.inspect(self.id).get("State")
        return state if isinstance(state, dict) else {}

    def _look_around(self) -> None:
        """Find the container's memory group and the command's process, where this machine shows them."""
        number = self._state().get("Pid")
        self.pid = number if isinstance(number, int) else 0
        if self.pid <= 0:
            return
        with contextlib.suppress(OSError, ValueError):
            membership = Path(f"/proc/{self.pid}/cgroup").read_text("utf-8", "replace")
            self._group = _memory_group(Path("/proc/self/mountinfo").read_text("utf-8", "replace"), membership)
        with contextlib.suppress(OSError):
            self._first = os.pidfd_open(self.pid)
        with contextlib.suppress(OSError, ValueError):
            child = int(Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text("ascii").split()[0])
            self._command = os.pidfd_open(child)

    def memory(self) -> str:
        """What the kernel says that the memory limit is, "" where it cannot be asked."""
        if self._group is None or self._group.memory is None:
            return ""
        folder, version = self._group.memory
        with contextlib.suppress(OSError):
            name = "memory.limit_in_bytes" if version == 1 else "memory.max"
            return f"{(folder / name).read_text('ascii').strip()} cgroup v{version} of the engine"
        return ""

    def go(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self.gate.go, b"go\n")

    def kill(self) -> None:
        """Look before the kill, for the groups of the container go with it."""
        silent = self._listen()
        if self._group:
            self.oom |= bool(self._group.oom_kills())
        self.ended_from_outside |= silent and not self._killed and _was_killed(self._first)
        self._killed = True
        self.engine.kill(self.id)

    def _listen(self) -> bool:
        """Hear how the command ended; True when the gate is gone and never said it."""
        word = self.gate.heard(0)
        if word and word.startswith(ENDED):
            with contextlib.suppress(ValueError):
                self.code = int(word.removeprefix(ENDED))
        return word == b"" and self.code < 0

    def ended(self, patience_s: float) -> bool:
        """Wait until all of it is dead."""
        if not self.engine.wait(self.id, patience_s):
            return False
        self.oom |= bool(self._state().get("OOMKilled"))
        return True

    def status(self) -> tuple[int, int]:
        """(exit code or -1, signal or 0): the kernel's word where it tells, else the gate's, else that it was killed."""
        known = kernel.wait_status(self._command) if self._command >= 0 else None
        return decode(known, self.code if self.code >= 0 else KILLED)

    def close(self) -> None:
        """Remove the container, then its pipes."""
        try:
            self.engine.remove(self.id)
        finally:
            self.gate.close()
            for number in (self._command, self._first):
                if number >= 0:
                    os.close(number)
            self._command = self._first = -1


def _words(word: bytes) -> str:
    text = word.removeprefix(FAILED).decode("utf-8", "replace").strip()
    return text if word.startswith(FAILED) and text else "the streams of the command could not be opened inside"


def _was_killed(first: int) -> bool:
    """Did SIGKILL end the first process before we sent any? Nothing inside can send it one: the engine or a person did."""
    if first < 0 or not select.select([first], [], [], LOOK_S)[0]:
        return False
    deadline = time.monotonic() + LOOK_S
    while (status := kernel.wait_status(first)) is None and time.monotonic() < deadline:
        time.sleep(0.01)  # the kernel tells when the engine has asked
    return status is not None and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _memory_group(mountinfo: str, membership: str) -> Group | None:
    """The memory group of a process, by the tables of this machine."""
    found = hierarchies(mountinfo, membership)
    for each in found:
        if "memory" in each.controllers:
            return Group(folders=(), memory=(each.own, 1))
    for each in found:
        if each.version == 2 and (each.own / "memory.max").exists():
            return Group(folders=(), memory=(each.own, 2))
    return None


def ended(watch: Watch[Contained], enforced: Mapping[str, str]) -> Ended:
    """The container is dead: how did the command end, and who ended it? Raises MachineError when it was no one of us."""
    if watch.spawned.ended_from_outside and not watch.spawned.oom:
        raise MachineError(
            "a container was ended from outside, by its engine or by hand: what its command would have done is not known",
            where=watch.spawned.id[:12],
            fix="see that the engine runs and is let alone, then resume",
        )
    code, number = watch.spawned.status()
    oom = watch.spawned.oom
    killed_by = who(watch.killed_by, number, oom)
    return made(watch, enforced, code=code, number=number, killed_by=killed_by, oom=oom, error="")
