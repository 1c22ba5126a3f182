"""Which attempt of a draw counts: every declared draw exits exactly once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from denominator.ledger.audit import distinct_rows
from denominator.records.judgements import NEVER_STARTED, UNKNOWN, JudgedDraw
from denominator.records.keys import AttemptKey, DrawKey
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow, Declared, Ledger
from denominator.records.values import NotMeasured

COMPLETED = ("pass", "fail", "abstain")
Axes = Mapping[str, tuple[str, ...]]


def judged_draws(ledger: Ledger, labels: Iterable[Label]) -> tuple[JudgedDraw, ...]:
    """Every declared draw with its one exit, sorted; rows of undeclared draws exit nowhere (the audit names them)."""
    axes = _axes(labels)
    tries: dict[DrawKey, list[AttemptRow]] = {}
    for row in distinct_rows(ledger.rows):
        if row.started:
            tries.setdefault(row.key.draw, []).append(row)
    return tuple(_judged(declared, tries.get(declared.draw, []), axes) for declared in _declared(ledger))


def unnamed_draws(ledger: Ledger, draws: Iterable[JudgedDraw]) -> int:
    """How many draws were declared by number only and have no row."""
    if isinstance(ledger.declared_n, NotMeasured) or not isinstance(ledger.declared, NotMeasured):
        return 0
    return max(0, ledger.declared_n - len(tuple(draws)))


def declared_total(ledger: Ledger) -> int | NotMeasured:
    """How many draws were declared, over all slices."""
    if not isinstance(ledger.declared, NotMeasured):
        return len(ledger.declared)
    return ledger.declared_n


def _declared(ledger: Ledger) -> list[Declared]:
    if not isinstance(ledger.declared, NotMeasured):
        return sorted(ledger.declared, key=lambda d: d.draw)
    found: dict[DrawKey, Declared] = {}
    for row in distinct_rows(ledger.rows):
        found.setdefault(
            row.key.draw,
            Declared(draw=row.key.draw, slice=row.slice, control=row.control, stratum=row.stratum),
        )
    return sorted(found.values(), key=lambda d: d.draw)


def _axes(labels: Iterable[Label]) -> dict[AttemptKey, dict[str, tuple[str, ...]]]:
    axes: dict[AttemptKey, dict[str, tuple[str, ...]]] = {}
    for label in labels:
        of_row = axes.setdefault(label.key, {})
        of_row[label.axis] = (*of_row.get(label.axis, ()), label.value)
    return axes


def _judged(declared: Declared, tries: list[AttemptRow], axes: Mapping[AttemptKey, Axes]) -> JudgedDraw:
    row = _counting(tries, axes)
    said = axes.get(row.key, {}) if row is not None else {}
    return JudgedDraw(
        draw=declared.draw,
        slice=declared.slice,
        control=declared.control,
        stratum=declared.stratum or (row.stratum if row is not None else ""),
        exit=NEVER_STARTED if row is None else _one(said, "outcome") or UNKNOWN,
        row=row,
        tries=tuple(tries),
        outcomes=tuple(_one(axes.get(one.key, {}), "outcome") for one in tries),
        origin=_one(said, "origin"),
        reason=_one(said, "reason"),
        failure_class=_one(said, "failure_class") or ("" if row is None else "unresolved"),
        mix=_one(said, "mix"),
        tags=tuple(sorted(said.get("tag", ()))),
        unknown_axes=tuple(sorted(axis for axis, values in said.items() if UNKNOWN in values)),
    )


def _counting(tries: list[AttemptRow], axes: Mapping[AttemptKey, Axes]) -> AttemptRow | None:
    """The first completed attempt; without one the last, so that repeats of one error are one exit."""
    for row in tries:
        if _one(axes.get(row.key, {}), "outcome") not in ("unscoreable", ""):
            return row
    return tries[-1] if tries else None


def _one(said: Axes, axis: str) -> str:
    values = said.get(axis, ())
    return values[0] if values else ""
