"""No effect was performed twice.

Why it matters: it is the damage that a journal exists to prevent, and tests may be green over it.

Bad: 1 of 14 in a table. Good: the trial by name, so that its tree can be looked at.
Fix: make the effect recognisable by its key (both digests before it, rename, then the row)."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.durability.shape import BenchRule
from denominator.gate.shape import Said, listed, note
from denominator.records.durability import BenchSheet
from denominator.records.trials import BenchReading, doubled, names_of

FIX = "look at the trees of these trials"


def check(sheet: BenchSheet) -> Iterable[Said]:
    """Trials with a double application, by name."""
    twice = names_of([one for one in BenchReading(sheet).counted if doubled(one) is True])
    if twice:
        yield note("effects", f"applied twice: {listed(twice)}", FIX)


RULE = BenchRule(
    Entry("GL086", "applied-twice", "0.1.0", "gate", __doc__ or ""),
    check,
    "no effect was performed twice",
    tells=True,
)
