"""Two arms side by side: what each brings, and whether they may be compared at all."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.findings import Verdict
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One arm as judged. `sheet` holds everything, withheld or not: only `compare` and `pipeline` may read it."""

    name: str
    sheet: Sheet
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldVerdict:
    """One field of both envelopes.

    `verdict` is same, treatment, note, or what a difference makes of the comparison: question, subject, conditions,
    referee; `unknown` where a side does not state it. `blocks` says whether it stops the comparison.
    """

    name: str
    verdict: str
    blocks: bool
    a: str | NotMeasured
    b: str | NotMeasured
    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Was the treatment there? In `delivered` of `attempts` of an arm the declared value of `field` really took effect.

    `unknown` attempts say nothing about it; `holds` is false below the sealed floor, and while too much is unknown.
    """

    arm: str
    field: str
    delivered: int
    attempts: int
    unknown: int
    floor: str
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparability:
    """May two arms be compared? `status` is comparable or not_comparable; every reason is in a field, a task or a note.

    `reasons` are the lines that block, in words. `declared_before` is false where the treatment was named afterwards or
    the conditions were only said to be equal: then nothing is established.
    """

    status: str
    fields: tuple[FieldVerdict, ...]
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    treatment: tuple[str, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    declared_before: bool = True
