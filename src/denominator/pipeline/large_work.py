"""What another process does with a range of a long foreign file: it reads it, and writes what it read."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, BinaryIO

from denominator.pipeline.large_content import in_order
from denominator.pipeline.large_intake import Asked, intake_of, rows_of
from denominator.pipeline.large_rows import LargeRows
from denominator.pipeline.large_single import UnusualError
from denominator.pipeline.large_told import Told
from denominator.pipeline.row_ranges import Range, opened_range
from denominator.pipeline.row_sending import pieces, received, taken, write

COUNT_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class LargeWork:
    """A range of a long file, read by another process."""

    asked: Asked

    def into(self, descriptor: int, part: Range, go_on: Callable[[], None], out: BinaryIO) -> None:
        """Read it, and write down what was read."""
        try:
            rows = rows_of(self.asked, intake_of(self.asked))
            before = lines_before(descriptor, part.start)
            rows.read(opened_range(descriptor, part), before=before, offset=part.start, go_on=go_on)
        except UnusualError:
            write(out, Told(unusual=True, all=True))
            return
        send(rows, out)

    def answer(self, source: IO[bytes]) -> Told | None:
        """What it wrote; nothing where it did not come to the end."""
        return received(Told(), source)


def lines_before(descriptor: int, start: int) -> int:
    """How many lines end before a byte of a file."""
    many = 0
    for at in range(0, start, COUNT_BYTES):
        many += os.pread(descriptor, min(COUNT_BYTES, start - at), at).count(b"\n")
    return many


def send(rows: LargeRows, out: BinaryIO) -> None:
    """Write what was read, in messages of bounded size, and forget it."""
    singles = rows.singles
    for kinds in pieces(list(singles.kinds.digests().items())):
        write(out, Told(kinds=dict(kinds)))
    for names in pieces(rows.placed.tasks.names):
        write(out, Told(tasks=[*names]))
    while rows.placed.table.task:
        columns = taken(rows.placed.table)
        lines = rows.placed.lines[: len(columns.kinds)]
        del rows.placed.lines[: len(lines)]
        write(out, Told(rows=[(columns, lines)]))
    last = Told(
        digests=in_order(rows.digests), plans=[*rows.by_value.keys], keys=singles.keys, runs=singles.runs, arms=singles.arms,
        defects=singles.defects, seen=rows.seen, all=True,
    )  # fmt: skip
    write(out, last)
    out.flush()
