"""Lineages: which slips are of one measurement made again, and which fields moved between two of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from denominator.records.events import Json
from denominator.records.slips import Slip
from denominator.records.values import NotMeasured
from denominator.slips.fields import BOX, LIMITS, PROMISES, Held, held
from denominator.wire.canonical import digest

Moved = tuple[str, str, str]
"""Field, old value, new value, as text."""
ABSENT = NotMeasured("the other slip has this field, this one has not")
UNKNOWN = "unknown: "


def lineage_of(slip: Slip) -> str:
    """The digest of harness, model and sampling, pack, n, budget and box limits.

    An unknown value is one with no other slip: it makes the lineage that of this run alone.
    """
    alone = slip.run_id or slip.raw.sha256
    return digest({one.name: _value(one, alone) for one in held(slip) if one.lineage})


def _value(one: Held, alone: str) -> Json:
    if isinstance(one.value, NotMeasured):
        return {"not_measured": one.value.not_measured, "of": alone}
    return one.value


def moved_between(old: Slip, new: Slip) -> tuple[Moved, ...]:
    """The fields in which two slips do not agree, the box's last. Unknown agrees with nothing."""
    before, after = ({one.name: one for one in held(slip)} for slip in (old, new))
    names = sorted({**before, **after}, key=lambda name: (is_box(name), list({**before, **after}).index(name)))
    found = []
    for name in names:
        a, b = (side[name].value if name in side else ABSENT for side in (before, after))
        if not _agree(name, a, b):
            found.append((name, told(a), told(b)))
    return tuple(found)


def _agree(name: str, a: str | NotMeasured, b: str | NotMeasured) -> bool:
    """A promise about the box that nobody gave did not move: the tier is what stays low without it."""
    if isinstance(a, NotMeasured) or isinstance(b, NotMeasured):
        promise = name.removeprefix(f"{BOX}.") in PROMISES and is_box(name)
        return promise and isinstance(a, NotMeasured) and isinstance(b, NotMeasured)
    return a == b


def told(value: str | NotMeasured) -> str:
    """A value as a sentence shows it."""
    return f"{UNKNOWN}{value.not_measured}" if isinstance(value, NotMeasured) else value


def is_box(name: str) -> bool:
    """Is a moved field one of the box?"""
    return name.startswith(f"{BOX}.")


def others_of(names: Iterable[str]) -> tuple[str, ...]:
    """The moved fields that are none of the box."""
    return tuple(name for name in names if not is_box(name))


def is_again(one: Slip, other: Slip) -> bool:
    """Is one the other's measurement made again: nothing moved, and another run with rows of its own?"""
    same_rows = isinstance(one.ledger_sha256, str) and one.ledger_sha256 == other.ledger_sha256
    another = one.run_id != other.run_id and one.raw.sha256 != other.raw.sha256 and not same_rows
    return another and one.lineage == other.lineage and not moved_between(one, other)


def with_lineage(slip: Slip, previous: str = "", before: Slip | None = None) -> Slip:
    """The slip with its lineage; where fields moved since `before` it points back and names them."""
    made = replace(slip, lineage=lineage_of(slip), previous=previous, previous_lineage="", moved=())
    if before is None:
        return made
    moved = tuple(name for name, _, _ in moved_between(before, made))
    back = before.lineage if before.lineage != made.lineage else ""
    return replace(made, previous_lineage=back, moved=moved)


__all__ = ["LIMITS", "Moved", "is_again", "is_box", "lineage_of", "moved_between", "others_of", "told", "with_lineage"]
