"""One process that is benched: started in a session of its own, watched until it ends or stops itself at a point."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.faultbench.stopping import BenchStoppedError
from denominator.ports import Stop

POLL_S = 0.004
CODED = re.compile(r"\[E\d{3}\]|unknown.state")


def late_note(limit_s: int) -> str:
    """What is noted of a process that took too long: it may hang, or the machine may be slow."""
    return f"killed: it did not end within {limit_s} s (--trial-limit gives it more)"


@dataclass(slots=True)
class Child:
    """A process group. `exit_code` is that of the leader: negative for a signal, None while it lives."""

    pid: int
    log: Path
    exit_code: int | None = None
    late: bool = False

    @classmethod
    def start(cls, argv: Sequence[str], folder: Path, env: Mapping[str, str], log: Path) -> Child:
        """Start it; what it says on both streams goes to the end of `log`."""
        with log.open("ab") as said:
            process = subprocess.Popen(
                argv, cwd=folder, env=dict(env), stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                start_new_session=True,
            )  # fmt: skip
        # The module would wait for it again when it is collected; this class alone does that.
        process.returncode = 0
        return cls(process.pid, log)

    def wait(self, within_s: float, stop: Stop) -> bool:
        """Wait until it ends (False) or has stopped itself (True). One that takes too long is killed, and `late` says so."""
        deadline = time.monotonic() + within_s
        while self.exit_code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)
            if pid and os.WIFSTOPPED(status):
                return True
            if pid:
                self.exit_code = os.waitstatus_to_exitcode(status)
                break
            if stop.is_set():
                self.kill()
                raise BenchStoppedError
            if time.monotonic() > deadline:
                self.late = True
                self.kill()
                break
            time.sleep(POLL_S)
        # What the leader left behind in its group is no runner any more.
        self._signal_group(signal.SIGKILL)
        return False

    def kill(self) -> None:
        """SIGKILL to the whole group; returns when the leader is gone."""
        self._signal_group(signal.SIGKILL)
        if self.exit_code is None:
            with contextlib.suppress(ChildProcessError):
                _, status = os.waitpid(self.pid, 0)
                self.exit_code = os.waitstatus_to_exitcode(status)

    def ask_to_end(self) -> None:
        """SIGTERM to the leader, which then goes on to see it."""
        os.kill(self.pid, signal.SIGTERM)
        self.go_on()

    def go_on(self) -> None:
        """Let it leave the point at which it stopped itself."""
        os.kill(self.pid, signal.SIGCONT)

    def _signal_group(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def said(self, most: int = 200) -> str:
        """The line in which it says what went wrong (it has a code), else the first one."""
        with contextlib.suppress(OSError):
            lines = self.log.read_bytes()[-65536:].decode("utf-8", "replace").strip().splitlines()
            wrong = [line.strip() for line in lines if CODED.search(line)]
            return next(iter([*wrong, *lines]), "")[:most]
        return ""
