"""Watches one running command: feeds and reads its pipes, enforces wall, output and disk budgets, ends it for sure.

One loop over poll; no thread per stream. Whoever ends the command is written down by the one who does it.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from denominator.adapters.sandboxes.control_group import Group
from denominator.adapters.sandboxes.spawn import DEATH_S, Streams
from denominator.errors import MachineError
from denominator.ports import Limits, Stop
from denominator.records.words import KilledBy

__all__ = ["Running", "Watch"]

TICK_S = 0.1
CHUNK = 1 << 16
FLOOD_FACTOR = 64  # what is over the cap is dropped; a command that writes 64 times the cap is ended
REPORT_BYTES_MAX = 16 << 20


class Running(Protocol):
    """What is watched: `outer` can be read when the command has ended, `go` lets it begin, `kill` ends all of it.

    `ended` waits until nothing of it lives; `pid` names it to people when something still does.
    """

    @property
    def outer(self) -> int: ...
    @property
    def streams(self) -> Streams: ...
    @property
    def pid(self) -> int: ...
    def go(self) -> None: ...
    def kill(self) -> None: ...
    def ended(self, patience_s: float) -> bool: ...


R = TypeVar("R", bound=Running)


@dataclass(slots=True, kw_only=True)
class Watch(Generic[R]):
    """The state of the watch. `over_disk` says whether measured folders exceed their budget (and may take its time)."""

    spawned: R
    limits: Limits
    group: Group | None = None
    stop: Stop | None = None
    over_disk: Callable[[], bool] | None = None
    stdin: bytes = b""
    killed_by: KilledBy = KilledBy.NOBODY
    truncated: bool = False
    read: dict[str, bytearray] = field(default_factory=dict)
    start_ns: int = 0
    wall_ns: int = 0
    _seen: dict[str, int] = field(default_factory=dict)
    _next_disk: float = 0.0

    def stopped(self) -> bool:
        """Has the harness been told to stop?"""
        return self.stop is not None and self.stop.is_set()

    def run(self) -> None:
        """Open the gate and watch until every process of the sandbox is dead."""
        self.start_ns = time.monotonic_ns()
        self.spawned.go()
        try:
            while not self._turn():
                self._enforce()
        finally:
            self.end()
            self.wall_ns = time.monotonic_ns() - self.start_ns
        self._drain()

    def give_up(self, why: bytes) -> None:
        """End a sandbox whose command never ran; `why` stands in for its words when it left none."""
        self.end()
        self._drain()
        if why:
            self.read["stderr"] = bytearray(why)

    def _cap(self, name: str) -> int:
        return REPORT_BYTES_MAX if name == "report" else self.limits.output_bytes

    def _left_s(self) -> float:
        return self.limits.wall_s - (time.monotonic_ns() - self.start_ns) / 1e9

    def _turn(self) -> bool:
        """Wait for the next thing to happen; True when the command has ended."""
        poll = select.poll()
        poll.register(self.spawned.outer, select.POLLIN)
        names = {}
        for name in ("stdout", "stderr", "report", "stdin"):
            number = getattr(self.spawned.streams, name)
            if number >= 0:
                poll.register(number, select.POLLOUT if name == "stdin" else select.POLLIN)
                names[number] = name
        wait_s = min(TICK_S, self._left_s()) if self.stop or self.over_disk else self._left_s()
        happened = poll.poll(max(0, int(wait_s * 1000) + 1))
        for number, _ in happened:
            if number in names:
                self._write() if names[number] == "stdin" else self._read(names[number])
        return any(number == self.spawned.outer for number, _ in happened)

    def _read(self, name: str) -> bool:
        """Read once; what is over the cap is counted and dropped. False when there is nothing to read now."""
        number = getattr(self.spawned.streams, name)
        try:
            data = os.read(number, CHUNK)
        except BlockingIOError:
            return False
        if not data:
            os.close(number)
            setattr(self.spawned.streams, name, -1)
            return False
        kept = self.read.setdefault(name, bytearray())
        room = self._cap(name) - len(kept)
        kept += data[:room]
        self.truncated |= len(data) > room
        self._seen[name] = self._seen.get(name, 0) + len(data)
        return True

    def _write(self) -> None:
        streams = self.spawned.streams
        try:
            self.stdin = self.stdin[os.write(streams.stdin, self.stdin[:CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:
            self.stdin = b""
        if not self.stdin:
            os.close(streams.stdin)
            streams.stdin = -1

    def _enforce(self) -> None:
        """End the command when a budget is spent; the first reason stays."""
        if self.killed_by is not KilledBy.NOBODY:
            return
        if self._left_s() <= 0:
            self._kill(KilledBy.BUDGET_WALL)
        elif self.stopped():
            self._kill(KilledBy.HARNESS_STOP)
        elif any(count > FLOOD_FACTOR * self._cap(name) for name, count in self._seen.items()):
            self._kill(KilledBy.BUDGET_OUTPUT)
        elif self._disk_is_over():
            self._kill(KilledBy.BUDGET_DISK)

    def _disk_is_over(self) -> bool:
        now = time.monotonic()
        if self.over_disk is None or now < self._next_disk:
            return False
        over = self.over_disk()
        # Measuring may take a tenth of the time at most.
        self._next_disk = time.monotonic() + max(2 * TICK_S, 9 * (time.monotonic() - now))
        return over

    def _kill(self, why: KilledBy) -> None:
        self.killed_by = why
        self._signal()

    def _signal(self) -> None:
        self.spawned.kill()
        if self.group:
            self.group.kill()

    def end(self) -> None:
        """Kill what is left and wait until nothing is."""
        self._signal()
        if not self.spawned.ended(DEATH_S):
            raise _undead(self.spawned.pid)
        if self.group and not self.group.empty(DEATH_S):
            raise _undead(min(self.group.members(), default=0))

    def _drain(self) -> None:
        """Read what is still in the pipes. Not to the end of file: a descriptor may have been sent elsewhere."""
        for name in ("stdout", "stderr", "report"):
            while getattr(self.spawned.streams, name) >= 0 and self._read(name):
                if self._seen[name] > FLOOD_FACTOR * self._cap(name):
                    break


def _undead(pid: int) -> MachineError:
    return MachineError(
        "a process of a sandbox does not die",
        where=f"process {pid}",
        fix="the kernel holds it (disk or network file system?); nothing is graded while it lives",
    )
