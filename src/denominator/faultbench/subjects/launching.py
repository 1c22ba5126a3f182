"""Running one command line of a foreign subject in the sandbox, and what it sees there."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import MachineError
from denominator.faultbench.machine import faketime
from denominator.faultbench.stopping import BenchStoppedError
from denominator.faultbench.subjects.held_command import HeldCommand
from denominator.faultbench.subjects.terms_command import ReadCommand
from denominator.faultbench.trials import Order
from denominator.ports import Ended, Job, Limits, Mount, Sandbox, Stop
from denominator.records.faults import FaultKind

MB = 1 << 20
DISK_MB = 64


class Either:
    """A flag that is set when one of two is."""

    def __init__(self, *flags: Stop | threading.Event) -> None:
        self.flags = flags

    def is_set(self) -> bool:
        """Is one of them?"""
        return any(flag.is_set() for flag in self.flags)


@dataclass(frozen=True, slots=True)
class Launcher:
    """Starts the command lines of one trial: in its workspace `work`, with `out` for what it prints."""

    read: ReadCommand
    sandbox: Sandbox
    order: Order
    work: Path
    out: Path
    stop: Stop

    def run(self, which: str, env: Mapping[str, str] | None = None, held: HeldCommand | None = None) -> Ended:
        """One command line in the sandbox, to its end; what it prints goes to a file that the bench can read meanwhile."""
        read = self.read
        line = read.line(which, self.order.task_id)
        said = "/out/said.log"
        ended = self.sandbox.run(
            Job(
                argv=("/bin/sh", "-c", f'exec >>"$0" 2>&1; {line}', said),
                role="agent",
                limits=_limits(read),
                workdir=self.work,
                outdir=self.out,
                mounts=tuple(self._mounts(held)),
                env={
                    "DENOMINATOR_TASK": self.order.task_id,
                    "DENOMINATOR_TOOLS": "/opt/tools",
                    **(env or {}),
                    **self._faked(held),
                },
            ),
            Either(self.stop, held.ended) if held else self.stop,
        )
        if self.stop.is_set():
            raise BenchStoppedError
        if ended.start_error:
            raise MachineError(f"the sandbox did not start {which}: {ended.start_error}", fix="denominator doctor")
        return ended

    def _mounts(self, held: HeldCommand | None) -> list[Mount]:
        read = self.read
        mounts = [Mount(host=read.tools, inside="/opt/tools")] if read.tools else []
        if self._faked(held) and held is not None:
            held.clock.write_text("+0\n", "ascii")
            mounts.append(Mount(host=held.clock, inside="/opt/clock"))
        return mounts

    def _faked(self, held: HeldCommand | None) -> dict[str, str]:
        """The environment of a command whose clock is to step."""
        if held is None or self.order.fault is None or self.order.fault.kind != FaultKind.CLOCK_JUMP:
            return {}
        return {
            "LD_PRELOAD": faketime(),
            "FAKETIME_TIMESTAMP_FILE": "/opt/clock",
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }


def _limits(read: ReadCommand) -> Limits:
    return Limits(
        wall_s=float(read.terms.wall_s),
        memory_bytes=read.terms.memory_mb * MB,
        processes=256,
        disk_bytes=DISK_MB * MB,
        file_bytes=DISK_MB * MB,
        open_files=1024,
        output_bytes=8 * MB,
    )
