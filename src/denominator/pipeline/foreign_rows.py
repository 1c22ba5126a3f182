"""The rows of a foreign run, one at a time: placed, looked at, and kept in memory, or in a file where they are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from denominator.importers.planned import Planned
from denominator.importers.terms import Observed
from denominator.pipeline.foreign_file import RowsFile
from denominator.records.foreign import ForeignRow
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow

MOST_HELD = 20_000
"""With more rows than these they are written down as they come, and judged from the file."""


@dataclass(slots=True)
class Kept:
    """What is known of all rows, and the rows: in memory, or in `file`. `aside` rows are of ids that were not `chosen`."""

    observed: Observed
    found: list[ForeignRow] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    chosen: bool = False
    aside: int = 0
    file: RowsFile | None = None

    @property
    def rows(self) -> tuple[AttemptRow, ...]:
        """Those in memory, in order."""
        return tuple(sorted((one.row for one in self.found), key=lambda row: row.key))

    @property
    def labels(self) -> tuple[Label, ...]:
        """What their source thinks of them."""
        return tuple(label for one in self.found for label in one.labels)


def keep_rows(
    rows: Iterator[ForeignRow],
    plan: Planned,
    file: RowsFile,
    ids: frozenset[str] | None = None,
    observed: Observed | None = None,
    most: int = MOST_HELD,
) -> Kept:
    """Take every row, or those of a subset of ids. Past `most` of them all go to the file."""
    kept = Kept(observed or Observed(), chosen=ids is not None)
    for found in rows:
        if ids is not None and found.row.key.task_id not in ids:
            kept.aside += 1
            continue
        placed = found._replace(row=plan.placed(found.row))
        kept.observed.take(placed.row)
        kept.endings[found.ending] += 1
        kept.found.append(placed)
        if len(kept.found) > (0 if kept.file else most):
            kept.file = file
            for one in kept.found:
                file.add(one)
            kept.found.clear()
    return kept
