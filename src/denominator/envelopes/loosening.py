"""What a seal demands less than the last one of its lineage. Pure.

A loosening without a reason is not settled by sealing once more: what the previous seal loosened in silence is still
held against the value that stood before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from denominator.envelopes.directions import DIRECTIONS, changed, neutral
from denominator.envelopes.fields import leaves
from denominator.records.conditions import Loosened
from denominator.records.envelopes import Envelope, Reason
from denominator.records.events import Json
from denominator.records.seals import Seal, SealedTask
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical, digest
from denominator.wire.codec import loads

LABEL = re.compile(r"\[.*\]", re.DOTALL)
WHOLE = ("arm", "allow", "clause", "loosen")


def loosened(previous: Seal, now: Seal) -> tuple[Loosened, ...]:
    """Every field that is weaker now, with the reason that the envelope of `now` gives for it; sorted by field."""
    before, after = standing(previous), fields_of(now)
    gone = {task_id(field) for field in before if field not in after and key_of(field) == "task"}
    found = [
        Loosened(field=field, before=_text(before.get(field)), now=_text(after.get(field)))
        for field in sorted({*before, *after})
        if (key_of(field) == "task" or task_id(field) not in gone)
        and DIRECTIONS.get(key_of(field), changed)(before.get(field), after.get(field))
    ]
    reasons = reasons_of(now.envelope)
    return tuple(_answered(one, reasons.get(one.field)) for one in found)


def standing(seal: Seal) -> dict[str, Json]:
    """What the seal demands, with what it loosened in silence as it stood before."""
    found = fields_of(seal)
    for one in seal.loosened:
        if not one.why:
            found[one.field] = before = loads(one.before, one.field)
            if key_of(one.field) == "task" and isinstance(before, Mapping):
                found |= {f"{one.field}.{name}": value for name, value in before.items()}
    return found


def reasons_of(envelope: Envelope) -> dict[str, Reason]:
    """`[[loosen]]` by field. A waiver says itself why and who, so it needs no second reason."""
    own = {f"allow[{one.rule}]": Reason(field=one.rule, why=one.why, who=one.who) for one in envelope.allow}
    return own | {one.field: one for one in envelope.loosen}


def idle_reasons(envelope: Envelope, found: tuple[Loosened, ...]) -> tuple[str, ...]:
    """Fields of `[[loosen]]` that are not weaker than before: the reason answers for nothing here."""
    moved = {one.field for one in found}
    return tuple(one.field for one in envelope.loosen if one.field not in moved)


def known_field(field: str) -> bool:
    """Could a seal ever be weaker in this field?"""
    return DIRECTIONS.get(key_of(field), neutral) is not neutral


def key_of(field: str) -> str:
    """The key of the table of directions: the path without what stands in brackets."""
    return LABEL.sub("", field)


def fields_of(seal: Seal) -> dict[str, Json]:
    """Every sealed field that has a direction, by its path, as plain JSON; what is unknown is null."""
    return dict(_fields(seal))


def _fields(seal: Seal) -> Iterator[tuple[str, Json]]:
    envelope = seal.envelope
    for path, value in leaves(envelope):
        if re.split(r"[.\[]", path, maxsplit=1)[0] not in WHOLE:
            yield path, plain(value)
    for path, value in leaves(seal.arm, "arm"):
        yield path, plain(value)
    for waiver in envelope.allow:
        yield f"allow[{waiver.rule}]", waiver.until
    for clause in envelope.clause:
        kept = ("metric", "of", "at_least", "at_most")
        yield f"clause[{clause.name}]", {name: getattr(clause, name) for name in kept}
    for one in seal.tasks:
        yield from _task(one)
    for cause in seal.causes:
        yield f"may_rerun[{cause.cause}]", cause.may_rerun


def _task(one: SealedTask) -> Iterator[tuple[str, Json]]:
    """A task as a whole, so that it can be missed, and field by field. Its canary is a secret: its digest is compared."""
    secret = replace(one.task, canary=digest(one.task.canary) if one.task.canary else "")
    found = {path: plain(value) for record in (secret, one.locked) for path, value in leaves(record)}
    yield f"task[{one.task.id}]", found
    for path, value in found.items():
        yield f"task[{one.task.id}].{path}", value


def plain(value: object) -> Json:
    """A field's value as JSON; one that is not measured is null."""
    if isinstance(value, NotMeasured):
        return None
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return {str(name): plain(one) for name, one in value.items()} if isinstance(value, Mapping) else cast(Json, value)


def task_id(field: str) -> str:
    """The task of `task[ID].verify.level`; "" for fields that belong to none."""
    return field[len("task[") :].partition("]")[0] if field.startswith("task[") else ""


def _text(value: Json) -> str:
    return canonical(value).decode("utf-8")


def _answered(one: Loosened, reason: Reason | None) -> Loosened:
    if reason is None or not reason.why.strip() or not reason.who.strip():
        return one
    return replace(one, why=reason.why.strip(), who=reason.who.strip())
