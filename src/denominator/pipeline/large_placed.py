"""Rows of a long file in columns, as they come."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import lt

from denominator.ledger.table import RowTable
from denominator.pipeline.large_by_value import Row
from denominator.pipeline.large_kinds import packed
from denominator.pipeline.large_lines import FARTHEST, OddLinesError
from denominator.pipeline.large_single import UnusualError
from denominator.pipeline.large_tasks import Tasks
from denominator.pipeline.row_sending import Columns
from denominator.records.rows import AttemptRow

Numbers = Sequence[int]


@dataclass(slots=True)
class Placed:
    """The table of rows, whose tasks are `tasks` until all are there, then `names`; `lines` are the numbers of their lines."""

    tasks: Tasks
    table: RowTable = field(default_factory=RowTable)
    lines: array[int] = field(default_factory=lambda: array("I"))
    names: list[str] = field(default_factory=list)

    def extend(
        self,
        begin: int,
        kinds: Numbers,
        names: Sequence[str],
        repeats: Numbers,
        offsets: Numbers,
        lines: Numbers,
        *numbers: Numbers,
    ) -> None:
        """More rows, of lines from `begin` on. OddLinesError: some of their tasks cannot be keys as they stand."""
        table, tasks = self.table, self.tasks.numbered(names)
        if None in tasks:
            raise OddLinesError([line - begin for line, one in zip(lines, tasks, strict=True) if one is None])
        table.extend(
            packed(table.kind, kinds),
            packed(table.task, tasks),  # type: ignore[arg-type]
            packed(table.repeat, repeats),
            list(map(packed, table.numbers, numbers)),
            packed(table.offsets, offsets),
        )
        self.lines.extend(lines)

    def add(self, line: int, offset: int, row: Row) -> None:
        """One more row."""
        task, numbers = self.tasks.other(row.task), [(one,) for one in row.numbers]
        self.table.extend((row.kind,), (task,), (row.repeat,), numbers, (offset,))
        self.lines.append(line)

    def take(self, rows: Columns, lines: array[int], kinds: Numbers, tasks: Numbers) -> None:
        """Rows of which another process knows kinds and tasks by other numbers."""
        of_kind, of_task = (
            array("i", map(names.__getitem__, some)) for names, some in ((kinds, rows.kinds), (tasks, rows.tasks))
        )
        self.table.extend(of_kind, of_task, rows.repeats, rows.numbers, rows.offsets)
        self.lines.extend(lines)

    def all_there(self, kinds: Sequence[AttemptRow]) -> None:
        """All rows of these kinds are there now. UnusualError: two of them have one key."""
        self.names, self.table.tasks = self.tasks.named()
        table, attempts = self.table, [one.key.attempt for one in kinds]
        places = [task * FARTHEST + repeat for task, repeat in zip(table.task, table.repeat, strict=True)]
        if len({*attempts}) > 1:
            places = [place * FARTHEST + attempts[kind] for place, kind in zip(places, table.kind, strict=True)]
        if all(map(lt, places, places[1:])):
            return
        places.sort()
        if any(one == other for one, other in pairwise(places)):
            raise UnusualError("two rows have one key")
