"""The pair by stratum: counts only, because a difference per stratum would be many comparisons that nobody declared."""

from __future__ import annotations

from denominator.compare.paired import Paired
from denominator.records.comparisons import StratumPair, TaskPair


def strata(paired: Paired) -> tuple[StratumPair, ...]:
    """One line a stratum, sorted by name; nothing where no task has one."""
    groups: dict[str, list[TaskPair]] = {}
    for row in paired.rows:
        groups.setdefault(row.stratum, []).append(row)
    if set(groups) == {""}:
        return ()
    return tuple(_line(name or "no stratum", groups[name], paired.repeats) for name in sorted(groups))


def _line(name: str, rows: list[TaskPair], repeats: int) -> StratumPair:
    return StratumPair(
        name=name,
        tasks=len(rows),
        draws=len(rows) * repeats,
        passes_a=sum(row.passes_a for row in rows),
        passes_b=sum(row.passes_b for row in rows),
        more_a=sum(row.passes_a > row.passes_b for row in rows),
        more_b=sum(row.passes_b > row.passes_a for row in rows),
    )
