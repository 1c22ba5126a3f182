"""The time of one exchange: a total deadline on the monotonic clock, and somebody who may say stop."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.ports import Clock, Stop
from denominator.records.probe_words import End

LOOK_MS = 100
"""How long a wait may last before somebody who says stop is heard."""


class EndedError(Exception):
    """The exchange has ended before there was an answer to read; the word says how. It holds no text of anybody."""

    def __init__(self, end: End) -> None:
        super().__init__(end.value)
        self.end = end


class StoppedError(Exception):
    """Somebody asked to stop: this exchange is given up, and nothing is known of it."""


@dataclass(frozen=True, slots=True)
class Timer:
    """Nanoseconds of the monotonic clock. Times are counted from `zero_ns`; the deadline counts from `start_ns`."""

    clock: Clock
    zero_ns: int
    start_ns: int
    deadline_ms: int
    stop: Stop | None

    def us(self) -> int:
        """Microseconds since zero."""
        return max(self.clock.mono_ns() - self.zero_ns, 0) // 1_000

    def left_ms(self) -> int:
        """Until the deadline, rounded up; raises EndedError when there is nothing left, StoppedError on a stop."""
        if self.stop is not None and self.stop.is_set():
            raise StoppedError
        left = self.start_ns + self.deadline_ms * 1_000_000 - self.clock.mono_ns()
        if left <= 0:
            raise EndedError(End.DEADLINE)
        return -(-left // 1_000_000)

    def nap_ms(self, *others: int) -> int:
        """How long to wait at most for the next thing to happen."""
        return max(min(self.left_ms(), LOOK_MS, *others), 1)
