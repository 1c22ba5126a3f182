"""A long foreign file read by several processes, range by range, as one would read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from denominator.pipeline.large_intake import Asked
from denominator.pipeline.large_rows import LargeRows
from denominator.pipeline.large_told import Told
from denominator.pipeline.large_work import LargeWork
from denominator.pipeline.row_helpers import at_work
from denominator.pipeline.row_ranges import Range, by_cores, opened_range

AHEAD_BYTES = 40 << 20
"""About what one process reads before another has begun."""
Cut = Callable[[BinaryIO], Sequence[Range]]
HandOut = Callable[[int, Range, LargeWork], AbstractContextManager[Callable[[], Told | None]]]


@dataclass(frozen=True, slots=True)
class Parts:
    """The ranges of a file, of which other processes have begun to read all but the first."""

    file: BinaryIO
    first: Range
    rest: Sequence[tuple[Range, Callable[[], Told | None]]]

    def read(self, rows: LargeRows, passed: int) -> None:
        """All of them; the first `passed` lines are no rows. UnusualError: a line that is no row."""
        descriptor = self.file.fileno()
        rows.read(opened_range(descriptor, self.first) if self.rest else self.file, passed=passed)
        rows.sort()
        for part, answer in self.rest:
            told = answer()
            if told is None:
                rows.read(opened_range(descriptor, part), before=rows.seen, offset=part.start)
            else:
                rows.take(told)


def ahead(file: BinaryIO) -> Sequence[Range]:
    """Ranges that end at about one time."""
    return by_cores(file, AHEAD_BYTES)


@contextmanager
def reading_parts(file: BinaryIO, asked: Asked, cut: Cut = ahead, hand_out: HandOut = at_work) -> Iterator[Parts]:
    """Other processes begin to read. Of what one does not come to the end of, the range is read here."""
    first, *rest = cut(file)
    with ExitStack() as stack:
        yield Parts(
            file, first, [(one, stack.enter_context(hand_out(file.fileno(), one, LargeWork(asked)))) for one in rest]
        )
