"""Two sets of conditions, field by field: what is the same, what was meant to differ, what blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from denominator.compare.fields import BY_NAME, CLOCKED, FIELDS, FOLLOWS, OF_MODEL, WANTED, Field, blocks, field_of
from denominator.compare.observed import Values
from denominator.records.comparisons import FieldVerdict
from denominator.records.values import NotMeasured

UNSTATED = NotMeasured("not stated")
NONE = '"none"'
BOTH_SILENT = "stated by neither side"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is compared (rate, time, durability, spend), what was meant to differ, and a reason to take silence as equal."""

    number: str = "rate"
    treatment: tuple[str, ...] = ()
    equal_because: str = ""


def match(a: Values, b: Values, asked: Asked) -> tuple[FieldVerdict, ...]:
    """One verdict for every field that a side states or that no comparison can do without, in the order of the table."""
    moved = with_followers(a, b, asked.treatment)
    known = [one for one in FIELDS if one.name in a or one.name in b or _silent_matters(one, asked)]
    foreign = [field_of(name) for name in sorted((a.keys() | b.keys() | set(asked.treatment)) - BY_NAME.keys())]
    return tuple(_one(field, a, b, asked, moved) for field in (*known, *foreign))


def _silent_matters(field: Field, asked: Asked) -> bool:
    """Is a field listed although nobody states it? Only some of those block then."""
    asks = field.core or field.name in WANTED or field.name in CLOCKED
    return (asks and blocks(field, asked.number)) or field.name in asked.treatment


def with_followers(a: Values, b: Values, treatment: Iterable[str]) -> Mapping[str, str]:
    """The fields that may differ, each with the declared one that it comes with. What did not move brings nothing along."""
    found = {name: name for name in treatment}
    waiting = list(found)
    while waiting:
        name = waiting.pop()
        if _value(a, name) == _value(b, name):
            continue
        follow = FOLLOWS.get(name, ())
        if name == "model_id" and NONE in (_value(a, name), _value(b, name)):
            follow = OF_MODEL
        for one in follow:
            if one not in found:
                found[one] = found[name]
                waiting.append(one)
    return found


def _value(values: Values, name: str) -> str | NotMeasured:
    return values.get(name, UNSTATED)


def _one(field: Field, a: Values, b: Values, asked: Asked, moved: Mapping[str, str]) -> FieldVerdict:
    left, right = _value(a, field.name), _value(b, field.name)
    if isinstance(left, NotMeasured) or isinstance(right, NotMeasured):
        return _unknown(field, left, right, asked, field.name in a or field.name in b)
    if left == right:
        said = "declared as treatment, and it does not differ" if field.name in asked.treatment else ""
        return FieldVerdict(name=field.name, verdict="same", blocks=False, a=left, b=right, what=said)
    if field.name in moved:
        with_ = moved[field.name]
        said = "meant to differ" if with_ == field.name else f"comes with {with_}"
        return FieldVerdict(name=field.name, verdict="treatment", blocks=False, a=left, b=right, what=said)
    stops = blocks(field, asked.number)
    return FieldVerdict(name=field.name, verdict=_kind(field, stops), blocks=stops, a=left, b=right, what=field.why)


def _kind(field: Field, stops: bool) -> str:
    """What moves no such number is a note; a note that moves this one is a condition of it."""
    if not stops:
        return "note"
    return "conditions" if field.kind == "note" else field.kind


def _unknown(
    field: Field, left: str | NotMeasured, right: str | NotMeasured, asked: Asked, stated: bool
) -> FieldVerdict:
    """Unknown equals nothing. What no side mentions blocks where no comparison can do without it, and as a treatment."""
    if not blocks(field, asked.number):
        return FieldVerdict(name=field.name, verdict="note", blocks=False, a=left, b=right, what=_why(left, right))
    if asked.equal_because:
        said = f"declared equal by the caller: {asked.equal_because}"
        return FieldVerdict(name=field.name, verdict="note", blocks=False, a=left, b=right, what=said)
    needed = field.core or stated or field.name in CLOCKED or field.name in asked.treatment
    said = _why(left, right)
    return FieldVerdict(name=field.name, verdict="unknown", blocks=needed, a=left, b=right, what=said)


def _why(left: str | NotMeasured, right: str | NotMeasured) -> str:
    if isinstance(left, NotMeasured) and isinstance(right, NotMeasured):
        reasons = dict.fromkeys(one.not_measured for one in (left, right) if one != UNSTATED)
        return f"unknown on both sides: {'; '.join(reasons)}" if reasons else BOTH_SILENT
    silent, side = (left, "A") if isinstance(left, NotMeasured) else (right, "B")
    reason = silent.not_measured if isinstance(silent, NotMeasured) else ""
    return f"unknown in {side}: {reason}"


def blocking(fields: Iterable[FieldVerdict]) -> Collection[str]:
    """The names of the fields that block."""
    return {one.name for one in fields if one.blocks}
