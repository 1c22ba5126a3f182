"""Was the treatment there? In how many attempts of each arm the declared value of a treatment field really took effect.

Only facts count: the model that calls say they were served by, hosts and number formats of responses, digests of tool
lists, limits in force, what a row records under the field's own name. Prompts, budgets and the like are sealed and leave
no trace in rows: that is said, and stops nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from denominator.compare.observed import SEALED_ROWS, Values
from denominator.compare.watches import NO_MODEL, watch_of
from denominator.records.comparisons import Delivery, Side
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.records.values import NotMeasured, counted

FLOOR = "0.95"


def delivered(a: Side, b: Side, left: Values, right: Values, treatment: Iterable[str]) -> tuple[Delivery, ...]:
    """One line per arm and treatment field that its rows say something about. Attempts are the started ones."""
    floor = _floor(a, b)
    found = []
    for name in treatment:
        for side, own, other in ((a, left, right), (b, right, left)):
            declared = own.get(name, NotMeasured("not stated"))
            if isinstance(declared, NotMeasured) or declared == other.get(name):
                continue
            tally = _tally(side, name, json.loads(declared, parse_float=Decimal), own, other)
            if tally is not None:
                found.append(_delivery(side, name, tally, floor))
    return tuple(found)


def _floor(a: Side, b: Side) -> str:
    """The higher of both sealed floors."""
    floors = [side.sheet.terms.comparison.delivered_floor or FLOOR for side in (a, b)]
    return max(floors, key=Fraction)


def _delivery(side: Side, name: str, tally: tuple[int, int, int], floor: str) -> Delivery:
    took, attempts, unknown = tally
    holds = attempts > 0 and Fraction(took, attempts) >= Fraction(floor)
    return Delivery(
        arm=side.name, field=name, delivered=took, attempts=attempts, unknown=unknown, floor=floor, holds=holds
    )


def _tally(side: Side, name: str, declared: object, own: Values, other: Values) -> tuple[int, int, int] | None:
    """(took effect, attempts, unknown); nothing where no row of the arm can tell."""
    calls = _calls(side)
    watch = watch_of(name, declared, other.get(name))
    said = [watch(row, calls.get(row.key, ()), declared, own) for row in side.sheet.ledger.rows if row.started]
    unknown = sum(one is None for one in said)
    if not said or (unknown == len(said) and not _must_tell(side, name, declared)):
        return None
    return sum(one is True for one in said), len(said), unknown


def _must_tell(side: Side, name: str, declared: object) -> bool:
    """A run of ours behind the relay records which model answered: silence there is no excuse."""
    own = side.sheet.ledger.source == SEALED_ROWS
    return (
        own
        and name in ("model_id", "model_snapshot")
        and declared != NO_MODEL
        and side.sheet.terms.network == "gateway"
    )


def _calls(side: Side) -> Mapping[AttemptKey, Sequence[CallRow]]:
    found: dict[AttemptKey, list[CallRow]] = {}
    for call in side.sheet.ledger.calls:
        found.setdefault(call.key, []).append(call)
    return found


def delivery_reasons(deliveries: Iterable[Delivery]) -> list[str]:
    """The deliveries below their floor, in words."""
    return [f"the treatment was not delivered in arm {one.arm}: {told(one)}" for one in deliveries if not one.holds]


def told(one: Delivery) -> str:
    """A delivery as text."""
    unknown = f", unknown in {one.unknown}" if one.unknown else ""
    return (
        f"{one.field} took effect in {one.delivered} of {counted(one.attempts, 'attempt')}{unknown} (floor {one.floor})"
    )


def delivery_notes(a: Side, b: Side, left: Values, right: Values, treatment: Iterable[str]) -> Iterable[str]:
    """Treatment fields about which the rows of neither side say anything."""
    fields = list(treatment)
    seen = {one.field for one in delivered(a, b, left, right, fields)}
    silent = [name for name in fields if name not in seen]
    if silent:
        yield f"sealed, not observable in rows: {', '.join(silent)}"
