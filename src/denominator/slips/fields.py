"""The fields of a slip that two slips are held against each other by, and why the others are not.

A field belongs to the box or to everything else; an unknown value matches nothing, another unknown included.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from denominator.records.slips import Number, Slip, SlipBox
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical

OTHER, BOX = "other", "box"
PROMISES = ("shared", "reclaimable")
"""What somebody has to promise of a box: where neither slip says it, nothing has moved, and no slip is above external."""
LIMITS = ("cgroup_cpu_limit", "cgroup_memory_limit")
NO_MODEL = "none"
UNSERVED = NotMeasured("no answer named the model that gave it")
NO_NUMBER = NotMeasured("the slip has no such number")
FREE: Mapping[str, str] = {
    "run_id": "names a run",
    "arm": "names an arm",
    "made_at": "says when",
    "days": "say when; the wording of a number is as of its days",
    "seal_sha256": "holds the time of the seal",
    "ledger_sha256": "is of the result",
    "raw.path": "is a place",
    "raw.sha256": "is of the result",
    "harness.left_out": "moves no rate, or is a pattern that is a part of the digest itself",
    "budget.tokens_used": "is a result",
    "budget.ratio": "is a result",
    "numbers.k": "is the result",
    "numbers.score": "is the result",
    "numbers.lo": "is the result",
    "numbers.hi": "is the result",
    "numbers.method": "is how its interval is made of k and n",
    "numbers.printed": "is the result as a source printed it",
    "gate.status": "is the gate's word, and decides the tier",
    "gate.rung": "is the gate's word, and decides what may be written",
    "gate.sentence": "is the gate's word",
    "gate.blocked_by": "is the gate's word",
    "gate.waived": "is printed beside the number",
    "lineage": "is made of the other fields",
    "previous": "points back",
    "previous_lineage": "points back",
    "moved": "says what moved since another slip",
    "gaps": "list what is unknown",
    "notes": "are free text",
    "re_run_spread": "is of two runs",
    "owner": "says who",
}
"""Fields that may differ between two slips of one measurement, and why."""


@dataclass(frozen=True, slots=True)
class Held:
    """One field that is held against another slip's. `kind` is box or other; `lineage`: a part of the lineage's digest."""

    name: str
    value: str | NotMeasured
    kind: str = OTHER
    lineage: bool = True


def headline_of(slip: Slip) -> Number | None:
    """The number that a slip is about; none where it was withheld."""
    return next((one for one in slip.numbers if one.metric == slip.headline), None)


def held(slip: Slip) -> tuple[Held, ...]:
    """Every field by which a slip is held against another, in a fixed order."""
    return (
        Held("schema_version", str(slip.schema_version)),
        Held("origin", slip.origin),
        *_harness(slip),
        *_model(slip),
        *(Held(f"pack.{one.name}", _text(getattr(slip.pack, one.name))) for one in fields(slip.pack)),
        Held("budget.tokens_limit", _text(slip.budget.tokens_limit)),
        Held("budget.over_budget", _text(slip.budget.over_budget), lineage=False),
        *_number(slip),
        Held("gate.rules_digest", slip.gate.rules_digest),
        *_box(slip.box),
    )


def _harness(slip: Slip) -> Iterator[Held]:
    harness = slip.harness
    for name in ("name", "version", "commit", "digest"):
        yield Held(f"harness.{name}", _text(getattr(harness, name)))
    for name, value in sorted(harness.covers.items()):
        yield Held(f"harness.covers.{name}", _text(value))


def _model(slip: Slip) -> Iterator[Held]:
    model = slip.model
    for name in ("id", "snapshot", "agent", "agent_version"):
        yield Held(f"model.{name}", _text(getattr(model, name)))
    unserved = not model.served and model.id != NO_MODEL
    yield Held("model.served", UNSERVED if unserved else _listed(tuple(sorted(model.served))))
    if not model.sampling:
        yield Held("model.sampling", NotMeasured("no sampling is stated"))
    for name, value in sorted(model.sampling.items()):
        yield Held(f"model.sampling.{name}", _text(value))


def _number(slip: Slip) -> Iterator[Held]:
    """What the headline is a number of. What it came to is free."""
    found = headline_of(slip)
    yield Held("headline", slip.headline)
    yield Held("numbers.n", _text(found.n) if found else NO_NUMBER)
    if found is not None:
        yield Held("numbers.estimand", found.estimand)
        yield Held("numbers.declared", _text(found.declared))


def _box(box: SlipBox) -> Iterator[Held]:
    for one in fields(box):
        yield Held(f"box.{one.name}", _text(getattr(box, one.name)), BOX, one.name in LIMITS)


def _text(value: object) -> str | NotMeasured:
    if isinstance(value, NotMeasured):
        return value
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _listed(values: tuple[str, ...]) -> str:
    return values[0] if len(values) == 1 else canonical(list(values)).decode()
