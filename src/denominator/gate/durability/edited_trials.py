"""No person edited a trial.

Why it matters: a run that only ends because somebody repaired it did not recover.

Bad: the edited trial counts as recovered. Good: it is a failure, and named.
Fix: none; the trial counts as lost."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.durability.shape import BenchRule
from denominator.gate.shape import Said, listed, note
from denominator.records.durability import BenchSheet
from denominator.records.trials import BenchReading, names_of


def check(sheet: BenchSheet) -> Iterable[Said]:
    """Edited trials, by name."""
    edited = names_of([one for one in BenchReading(sheet).counted if one.manual_edit])
    if edited:
        yield note("trials", f"edited by hand, so they count as lost: {listed(edited)}")


RULE = BenchRule(
    Entry("GL087", "edited-trials", "0.1.0", "gate", __doc__ or ""),
    check,
    "no trial was edited by hand",
    tells=True,
)
