"""A run whose account was spent on the way: what came after is not attempted, for a budget reason, and nothing is aggregated."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.importers.attempts import Built
from denominator.records.rows import Defect
from denominator.records.words import Grade, Reason


def spent_defects(built: Built) -> Iterable[Defect]:
    """One block that lists the tasks which the provider refused because the money or the quota was gone."""
    cut = [
        row
        for row in built.rows
        if row.first_unrecovered is not None
        and row.first_unrecovered.cause == Reason.QUOTA_EXHAUSTED
        and row.grade == Grade.NONE
    ]
    if cut:
        tasks = tuple(dict.fromkeys(row.key.task_id for row in cut))
        first = min(cut, key=lambda row: row.source.line)
        what = (
            f"the account was spent: not attempted for a budget reason: {', '.join(tasks)}; no retry helps, the run is "
            "censored from there on"
        )
        yield Defect(kind="quota_exhausted", where=f"{first.source.file}:{first.source.line}", what=what, keys=tasks)
