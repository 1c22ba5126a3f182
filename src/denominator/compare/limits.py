"""Limits as they were enforced and digests as sent, attempt by attempt: what a document promises is not what a box does."""

from __future__ import annotations

from denominator.compare.fields import blocks, field_of
from denominator.compare.matching import Asked, blocking
from denominator.compare.observed import SEALED_ROWS, ByTask, condition_of, limits
from denominator.records.comparisons import FieldVerdict, Side
from denominator.records.values import NotMeasured
from denominator.wire.byvalue import by_value


def with_limits(a: Side, b: Side, fields: tuple[FieldVerdict, ...], asked: Asked) -> tuple[FieldVerdict, ...]:
    """The fields with one more for every limit that rows of both sides record and that is not the same for some task.

    A limit that belongs to a treatment field may differ; one whose condition blocks already is not said twice. Of a run of
    ours that records none (an agent without a process) the sealed limits were compared.
    """
    left, right = limits(a), limits(b)
    said = {*blocking(fields), *asked.treatment, *(one.name for one in fields if one.verdict == "treatment")}
    found = []
    for name in sorted(left.keys() | right.keys()):
        silent = a if name not in left else b if name not in right else None
        if condition_of(name) in said or (silent and silent.sheet.ledger.source == SEALED_ROWS):
            continue
        one = _limit(name, left.get(name), right.get(name))
        if one is not None and not _declared_equal(one, asked):
            found.append(one)
    return (*fields, *(one for one in found if blocks(field_of(one.name), asked.number)))


def _declared_equal(one: FieldVerdict, asked: Asked) -> bool:
    return one.verdict == "unknown" and bool(asked.equal_because)


def _limit(name: str, left: ByTask | None, right: ByTask | None) -> FieldVerdict | None:
    if left is None or right is None:
        silent = NotMeasured("no row records it")
        a = silent if left is None else _values(left)
        b = silent if right is None else _values(right)
        what = "the rows of one side only record it"
        return FieldVerdict(name=name, verdict="unknown", blocks=True, a=a, b=b, what=what)
    odd = sorted(task for task in left.keys() & right.keys() if left[task] != right[task])
    if not odd:
        return None
    what = f"it was another one for {', '.join(odd[:5])}"
    a, b = (by_value(sorted(set().union(*(one[task] for task in odd)))) for one in (left, right))
    return FieldVerdict(name=name, verdict="conditions", blocks=True, a=a, b=b, what=what)


def _values(seen: ByTask) -> str:
    return by_value(sorted(set().union(*seen.values())))
