"""The rows of a foreign run, one at a time: placed, looked at, and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from denominator.importers.planned import Planned
from denominator.importers.terms import Observed
from denominator.records.foreign import ForeignRow
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow


@dataclass(slots=True)
class Kept:
    """Rows in memory, what their source thinks of them, and what the terms need to know of all of them.

    `aside` rows are of ids that were not `chosen`.
    """

    observed: Observed = field(default_factory=Observed)
    rows: list[AttemptRow] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    chosen: bool = False
    aside: int = 0


def keep_rows(rows: Iterator[ForeignRow], plan: Planned, ids: frozenset[str] | None = None) -> Kept:
    """Take every row, or those of a subset of ids."""
    kept = Kept(chosen=ids is not None)
    for found in rows:
        if ids is not None and found.row.key.task_id not in ids:
            kept.aside += 1
            continue
        row = plan.placed(found.row)
        kept.observed.take(row)
        kept.rows.append(row)
        kept.labels.extend(found.labels)
        kept.endings[found.ending] += 1
    return kept
