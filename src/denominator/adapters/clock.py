"""The real clock: durations from the monotonic clock, wall stamps for people."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class SystemClock:
    """`ports.Clock` of this machine. `mono_ns` may be compared only under one `boot_id`."""

    def __init__(self) -> None:
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
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)
