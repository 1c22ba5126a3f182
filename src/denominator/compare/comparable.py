"""May two arms be compared at all? Asked before any number; every reason is named, none stops the others. START HERE."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from denominator.compare.arms import arm_reasons, listed, spec_notes
from denominator.compare.delivered import delivered, delivery_notes, delivery_reasons
from denominator.compare.fields import our_name
from denominator.compare.limits import with_limits
from denominator.compare.matching import BOTH_SILENT, NONE, Asked, match
from denominator.compare.observed import Values, answered, conditions, plain_model
from denominator.compare.patches import patch_notes, patch_reasons
from denominator.compare.played import played_reasons
from denominator.compare.quiet import quiet_fields
from denominator.compare.taskset import TaskSets, compare_tasks
from denominator.compare.windows import overlap_note, stale_terms, window_of
from denominator.records.comparisons import Comparability, FieldVerdict, Side
from denominator.records.values import NotMeasured, is_placeholder

COMPARABLE, NOT_COMPARABLE = "comparable", "not_comparable"
KINDS = ("question", "subject", "conditions", "referee")
WIDE = 60
DIGITS = 12
DIGEST = re.compile(r"[0-9a-f]{32}")
UNKNOWN = "and unknown equals nothing"


def comparable(
    a: Side, b: Side, treatment: Sequence[str] | None = None, equal_because: str = "", number: str = "rate"
) -> Comparability:
    """Hold the conditions, the draws and the deliveries of two arms against each other. Pure; tells no outcome of a blocked arm.

    `treatment`: the fields that may differ; None takes those that both sealed or stated terms declare. Fields named here
    that they do not declare make `declared_before` false. `equal_because`: the caller's reason to take what a side does
    not state as equal; what both state and differs blocks all the same. `number` is what will be compared: rate, time,
    durability or spend; harmless differences of the first block the others. Rows on one side and a document alone on the
    other are held against each other by what is stated only.
    """
    asked, declared = _asked(a, b, treatment, equal_because, number)
    alike = a.rows == b.rows
    left, right = conditions(a, alike), conditions(b, alike)
    matched = match(left, right, asked)
    fields = quiet_fields(a, b, with_limits(a, b, matched, asked) if alike else matched)
    tasks = compare_tasks(a, b) if alike else TaskSets()
    deliveries = delivered(a, b, left, right, asked.treatment)
    windows = window_of(a, left), window_of(b, right)
    window, overlap = overlap_note(a, b, *windows)
    reasons = (
        *tasks.reasons,
        *played_reasons(a, b),
        *(patch_reasons(a, b) if number == "rate" else ()),
        *(reason for side in (a, b) for reason in arm_reasons(side)),
        *_one_sided(a, b, asked, fields),
        *field_reasons(a, b, fields),
        *delivery_reasons(deliveries),
        *stale_terms([(a, windows[0], left), (b, windows[1], right)]),
        *([] if overlap or number not in ("spend", "time") else [window]),
    )
    return Comparability(
        status=NOT_COMPARABLE if reasons else COMPARABLE,
        fields=fields,
        reasons=reasons,
        notes=(*_notes(a, b, fields, asked, declared, window, left, right), *patch_notes(a, b)),
        only_a=tasks.only_a,
        only_b=tasks.only_b,
        treatment=asked.treatment,
        deliveries=deliveries,
        declared_before=declared and not asked.equal_because,
    )


def _asked(a: Side, b: Side, treatment: Sequence[str] | None, equal_because: str, number: str) -> tuple[Asked, bool]:
    """What may differ, and whether both sides said so before the run."""
    sealed = declared_by(a) & declared_by(b)
    named = sorted(sealed) if treatment is None else sorted({our_name(name) for name in treatment})
    reason = "" if is_placeholder(equal_because) else equal_because.strip()
    return Asked(number=number, treatment=tuple(named), equal_because=reason), set(named) <= sealed


def declared_by(side: Side) -> set[str]:
    """The treatment fields that an arm's own terms declare."""
    return {our_name(name) for name in side.sheet.terms.treatment}


def _one_sided(a: Side, b: Side, asked: Asked, fields: Iterable[FieldVerdict]) -> Iterable[str]:
    """A field that differs and that one side alone meant to."""
    blocked = {one.name for one in fields if one.blocks}
    for side, other in ((a, b), (b, a)):
        for name in sorted((declared_by(side) - declared_by(other) - set(asked.treatment)) & blocked):
            yield f"{name} is declared as treatment by {side.name} only: what is meant to differ is declared by both"


def field_reasons(a: Side, b: Side, fields: Iterable[FieldVerdict]) -> list[str]:
    """The blocking fields in words: a line for each that differs, one line for all that a side leaves open."""
    stops = [one for one in fields if one.blocks]
    lines = [
        f"{one.name} differs (different {one.verdict}): {a.name} {shown(one.a)}, {b.name} {shown(one.b)}"
        for kind in KINDS
        for one in stops
        if one.verdict == kind
    ]
    for who, names in _open(a, b, [one for one in stops if one.verdict == "unknown"]):
        lines.append(f"unknown {who}, {UNKNOWN}: {', '.join(names)}")
    return lines


def _open(a: Side, b: Side, unknown: Sequence[FieldVerdict]) -> Iterable[tuple[str, list[str]]]:
    groups: dict[str, list[str]] = {}
    for one in unknown:
        silent = [side.name for side, value in ((a, one.a), (b, one.b)) if isinstance(value, NotMeasured)]
        groups.setdefault("on both sides" if len(silent) == 2 else f"in {silent[0]}", []).append(_named(one))
    return groups.items()


def _named(one: FieldVerdict) -> str:
    """A field with the reason why it is unknown, where there is one beyond that nobody states it."""
    reasons = [value.not_measured for value in (one.a, one.b) if isinstance(value, NotMeasured)]
    told = [reason for reason in dict.fromkeys(reasons) if reason != "not stated"]
    return f"{one.name} ({'; '.join(told)})" if told else one.name


def shown(value: str | NotMeasured) -> str:
    """A value in a line, cut where it is long."""
    text = f"unknown ({value.not_measured})" if isinstance(value, NotMeasured) else value
    return text if len(text) <= WIDE else f"{text[: WIDE - 3]}..."


def _notes(
    a: Side,
    b: Side,
    fields: Sequence[FieldVerdict],
    asked: Asked,
    declared: bool,
    window: str,
    left: Values,
    right: Values,
) -> Iterable[str]:
    """What blocks nothing and has to be read."""
    if asked.treatment and not declared:
        yield f"the treatment was named afterwards: {', '.join(asked.treatment)}"
    if asked.equal_because:
        taken = [one.name for one in fields if one.verdict == "note" and one.what.startswith("declared equal")]
        if taken:
            yield f"taken as equal because the caller says so ({asked.equal_because}): {', '.join(taken)}"
    for one in fields:
        if one.verdict == "same" and one.what:
            yield f"treatment field {one.name} does not differ: both {shown(one.a)}"
    differ = [one.name for one in fields if one.verdict == "note" and _both_known(one)]
    if differ:
        yield f"differ, and move no such number: {', '.join(differ)}"
    silent = [one.name for one in fields if one.what == BOTH_SILENT and not one.blocks and one.verdict == "unknown"]
    if silent:
        yield f"{BOTH_SILENT}, so nobody knows whether they agree: {', '.join(silent)}"
    yield from (note for side in (a, b) for note in (*spec_notes(side), *_scheduled(side)))
    yield from (note for side, values in ((a, left), (b, right)) for note in _other_model(side, values))
    yield from delivery_notes(a, b, left, right, asked.treatment)
    yield _order(a, b, left, right)
    yield window


def _scheduled(side: Side) -> Iterable[str]:
    """Where nobody states what was scheduled, a draw that left no row is invisible."""
    if isinstance(side.sheet.ledger.declared, NotMeasured):
        yield f"arm {side.name}: which draws were scheduled is not stated, so only those with rows are compared"


def _other_model(side: Side, values: Values) -> Iterable[str]:
    """A declared snapshot that answered nothing: the field of a document is not to be trusted there."""
    declared, served = values.get("model_snapshot"), answered(side)
    if isinstance(declared, str) and served and plain_model(declared.strip('"')) not in served and declared != NONE:
        yield f"arm {side.name} declares model_snapshot {declared}, and {listed(served)} answered"


def _both_known(one: FieldVerdict) -> bool:
    return not isinstance(one.a, NotMeasured) and not isinstance(one.b, NotMeasured)


def _order(a: Side, b: Side, left: Values, right: Values) -> str:
    """The order in which tasks started, as a digest."""
    orders = [values.get("task_order_sha256", NotMeasured("not stated")) for values in (left, right)]
    if any(isinstance(one, NotMeasured) for one in orders):
        unknown = listed(side.name for side, one in zip((a, b), orders, strict=True) if isinstance(one, NotMeasured))
        return f"task order: unknown in {unknown}"
    if orders[0] == orders[1]:
        return f"task order: the same, {_digits(orders[0])}"
    return f"task order: {a.name} {_digits(orders[0])}, {b.name} {_digits(orders[1])}"


def _digits(value: str | NotMeasured) -> str:
    """The start of a digest, as everywhere in text; another value as it is."""
    text = shown(value).strip('"')
    return text[:DIGITS] if DIGEST.match(text) else text
