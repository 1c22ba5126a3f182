"""Every planned trial of a bench is there, each once.

Why it matters: trials that are missing are the ones that never came back; a rate over those that did is not the rate.

Bad: 9 of 12 trials, all recovered. Good: the three that are missing by name, and no rate.
Fix: run the bench to its end (`faultbench run` goes on where it stopped)."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.durability.shape import BenchRule
from denominator.gate.shape import Said, block, counted, listed, note
from denominator.records.durability import BenchSheet
from denominator.records.planned_trials import missing_trials

FIX = "run the bench to its end"


def check(sheet: BenchSheet) -> Iterable[Said]:
    """Planned trials without a row; tasks of a journal that nobody gave a verdict."""
    absent = missing_trials(sheet)
    if absent:
        yield block("trials", f"{counted(len(absent), 'planned trial')} without a row: {listed(absent)}", FIX)
    if sheet.journal.unverdicted:
        names = listed(sheet.journal.unverdicted)
        yield note("verdicts", f"no verdict says whether these were interrupted: {names}", "state it for every task")


RULE = BenchRule(
    Entry("GL083", "unfinished-bench", "0.1.0", "gate", __doc__ or ""),
    check,
    "every planned trial has a row",
)
