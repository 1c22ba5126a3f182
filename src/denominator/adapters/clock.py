"""The real clock: durations from the monotonic clock, wall stamps for people."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

STEP = "DENOMINATOR_CLOCK_STEP"
"""Names a file from which the fault bench has the wall clock stepped; without it nothing is ever read."""
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class SystemClock:
    """`ports.Clock` of this machine. `mono_ns` may be compared only under one `boot_id`."""

    def __init__(self) -> None:
        self._second = (-1, "")
        try:
            self.boot_id = BOOT_ID.read_text().strip()
        except OSError:
            # Without a boot id two processes must not compare clocks, so each gets an id of its own.
            self.boot_id = f"process-{time.time_ns()}"

    def mono_ns(self) -> int:
        """Nanoseconds of the monotonic clock."""
        return time.monotonic_ns()

    def wall(self) -> str:
        """UTC now, ISO 8601 with milliseconds."""
        second, rest = divmod(time.time_ns(), 1_000_000_000)
        known = self._second
        if known[0] != second:
            # Many events fall into one second: its text is made once.
            known = self._second = (second, datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S"))
        return f"{known[1]}.{rest // 1_000_000:03}Z"

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class SteppedClock(SystemClock):
    """A system clock whose wall time is so many seconds off as a file says; the file may come, change and go."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file

    def wall(self) -> str:
        """UTC now, stepped."""
        try:
            seconds = int(self.file.read_text("ascii"))
        except (OSError, ValueError):
            seconds = 0
        now = datetime.now(UTC) + timedelta(seconds=seconds)
        return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def clock_from_environment(environ: Mapping[str, str] | None = None) -> SystemClock:
    """The real clock, or one that a bench may step."""
    file = (os.environ if environ is None else environ).get(STEP, "")
    return SteppedClock(Path(file)) if file else SystemClock()
