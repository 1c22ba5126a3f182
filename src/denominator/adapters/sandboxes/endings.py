"""From a watched sandbox to `Ended`: did it ever run, how did it end, who ended it."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from typing import TypeVar

from denominator.adapters.sandboxes import kernel
from denominator.adapters.sandboxes.spawn import Spawned, wait_ready
from denominator.adapters.sandboxes.supervise import Running, Watch
from denominator.ports import Ended
from denominator.records.words import KilledBy

__all__ = ["decode", "ended", "made", "never_ran", "start", "who"]

START_S = 60.0
R = TypeVar("R", bound=Running)


def start(watch: Watch[Spawned]) -> bool:
    """Wait for the gate and put the command under its limits; False when that cannot be: then all of it is dead."""
    why = b""
    try:
        if wait_ready(watch.spawned, START_S, watch.stopped):
            if watch.group:
                watch.group.enter(watch.spawned.command_pid)
            return True
    except OSError as error:
        why = f"the control group cannot be entered: {error}".encode()
    watch.give_up(why)
    return False


def decode(status: int | None, returncode: int) -> tuple[int, int]:
    """(exit code or -1, signal or 0): the kernel's own word where it tells, else bubblewrap's 128 + signal."""
    if status is not None:
        return (-1, os.WTERMSIG(status)) if os.WIFSIGNALED(status) else (os.waitstatus_to_exitcode(status), 0)
    if returncode < 0:
        return -1, -returncode
    if 128 < returncode <= 128 + signal.NSIG - 1:
        return -1, returncode - 128
    return returncode, 0


def who(ours: KilledBy, number: int, oom: bool) -> KilledBy:
    """Who ended a command that ended by signal `number`; `ours` is why the harness killed, if it did."""
    if number == 0:
        return KilledBy.NOBODY
    if ours is not KilledBy.NOBODY:
        # Our SIGKILL may have come after the command's own end: then it did not end it.
        return ours if number == signal.SIGKILL else KilledBy.SELF
    return KilledBy.KERNEL_OOM if number == signal.SIGKILL and oom else KilledBy.SELF


def made(
    watch: Watch[R], enforced: Mapping[str, str], *, code: int, number: int, killed_by: str, oom: bool, error: str
) -> Ended:
    """The record of what was watched and decided."""
    return Ended(
        exit_code=code,
        signal=number,
        killed_by=str(killed_by),
        oom=oom,
        wall_ns=watch.wall_ns,
        start_ns=watch.start_ns,
        stdout=bytes(watch.read.get("stdout", b"")),
        stderr=bytes(watch.read.get("stderr", b"")),
        output_truncated=watch.truncated,
        report=bytes(watch.read.get("report", b"")),
        enforced=enforced,
        start_error=error,
    )


def _reason(watch: Watch[R], fallback: str) -> str:
    return bytes(watch.read.get("stderr", b"")).decode("utf-8", "replace").strip() or fallback


def never_ran(watch: Watch[R], enforced: Mapping[str, str]) -> Ended:
    """The sandbox could not be set up, or the harness stopped first."""
    stopped = watch.stopped()
    error = "the harness stopped before the command started" if stopped else ""
    return made(
        watch,
        enforced,
        code=-1,
        number=0,
        killed_by=KilledBy.HARNESS_STOP if stopped else KilledBy.NOBODY,
        oom=False,
        error=error or _reason(watch, "the sandbox did not start"),
    )


def ended(watch: Watch[Spawned], enforced: Mapping[str, str]) -> Ended:
    """The command is dead and so is all that it started."""
    oom = bool(watch.group and watch.group.oom_kills())
    status = kernel.wait_status(watch.spawned.command)
    code, number = decode(status, watch.spawned.process.returncode)
    killed_by = who(watch.killed_by, number, oom)
    error = _reason(watch, "there is no such command") if watch.spawned.was_missing() else ""
    return made(watch, enforced, code=code, number=number, killed_by=killed_by, oom=oom, error=error)
