"""The same fault plan gives the same journal again.

Why it matters: a fault that comes at another place each time is noise, and nobody can reproduce what it showed.

Bad: three repeats that died at three places under one label. Good: the same checkpoints each time, or a note.
Fix: name the hit (`@nth`), freeze what the agent does (an oracle or a script), look at the journals that differ."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.durability.shape import BenchRule
from denominator.gate.shape import Said, listed, note
from denominator.records.durability import BenchSheet
from denominator.records.planned_trials import unlike_repeats

FIX = "look at the journals that differ"


def check(sheet: BenchSheet) -> Iterable[Said]:
    """Repeats of one (task, fault) that died after other checkpoints."""
    unlike = (*unlike_repeats(sheet), *sheet.journal.unlike)
    if unlike:
        yield note("repeats", f"repeats of one fault are not alike: {listed(unlike)}", FIX)


RULE = BenchRule(
    Entry("GL090", "unlike-repeats", "0.1.0", "gate", __doc__ or ""),
    check,
    "repeats of one fault died after the same checkpoints",
)
