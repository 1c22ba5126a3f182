"""Which attempt of a draw counts: every declared draw exits exactly once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from denominator.ledger.audit import distinct_rows
from denominator.records.judgements import NEVER_STARTED, UNKNOWN, JudgedDraw
from denominator.records.keys import AttemptKey, DrawKey
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow, Declared, Ledger
from denominator.records.values import NotMeasured

Axes = Mapping[str, tuple[str, ...]]


def judged_draws(ledger: Ledger, labels: Iterable[Label]) -> tuple[JudgedDraw, ...]:
    """Every declared draw with its one exit, sorted; rows of undeclared draws exit nowhere (the audit names them)."""
    axes = _axes(labels)
    tries: dict[DrawKey, list[AttemptRow]] = {}
    for row in distinct_rows(ledger.rows):
        if row.started:
            tries.setdefault(row.key.draw, []).append(row)
    return tuple(_judged(declared, tries.get(declared.draw, []), axes) for declared in _declared(ledger))


def unnamed_draws(ledger: Ledger, draws: Sequence[JudgedDraw]) -> int:
    """How many draws were declared by number only and have no row."""
    if isinstance(ledger.declared_n, NotMeasured) or not isinstance(ledger.declared, NotMeasured):
        return 0
    return max(0, ledger.declared_n - len(draws))


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
    return judged_draw(declared, tries, [axes.get(row.key, {}) for row in tries])


def judged_draw(declared: Declared, tries: Sequence[AttemptRow], said: Sequence[Axes]) -> JudgedDraw:
    """One declared draw, its started attempts in order, and what the labels say of each of them."""
    at = _counting(said)
    row, of_row = (tries[at], said[at]) if tries else (None, {})
    return JudgedDraw(
        draw=declared.draw,
        slice=declared.slice,
        control=declared.control,
        stratum=declared.stratum or (row.stratum if row is not None else ""),
        exit=NEVER_STARTED if row is None else _one(of_row, "outcome") or UNKNOWN,
        row=row,
        tries=tuple(tries),
        outcomes=tuple(_one(axes, "outcome") for axes in said),
        origin=_one(of_row, "origin"),
        reason=_one(of_row, "reason"),
        failure_class=_one(of_row, "failure_class") or ("" if row is None else "unresolved"),
        mix=_one(of_row, "mix"),
        tags=tuple(sorted(of_row.get("tag", ()))),
        unknown_axes=tuple(sorted(axis for axis, values in of_row.items() if UNKNOWN in values)),
    )


def axes_of(labels: Iterable[Label]) -> dict[str, tuple[str, ...]]:
    """Values by axis of the labels of one row."""
    said: dict[str, tuple[str, ...]] = {}
    for label in labels:
        said[label.axis] = (*said.get(label.axis, ()), label.value)
    return said


def _counting(said: Sequence[Axes]) -> int:
    """The first completed attempt; without one the last, so that repeats of one error are one exit."""
    for at, axes in enumerate(said):
        if _one(axes, "outcome") not in ("unscoreable", ""):
            return at
    return len(said) - 1


def _one(said: Axes, axis: str) -> str:
    values = said.get(axis, ())
    return values[0] if values else ""
