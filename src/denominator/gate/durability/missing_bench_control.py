"""All four controls of a bench came to a result.

Why it matters: without its controls a bench of a runner that never notices anything looks like one that survives all.

Bad: a resume success rate, and nobody resumed twice. Good: 4 of 4 controls held. A foreign journal states no controls:
its sentence is capped at counts.
Fix: run the bench with its controls; look at the trials that are named."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.durability.shape import BenchRule
from denominator.gate.shape import Said, block, listed, note
from denominator.records.durability import BenchSheet
from denominator.records.faults import BenchControl

FIX = "run the bench with all four controls"


def check(sheet: BenchSheet) -> Iterable[Said]:
    """Controls that are not planned or came to nothing; of a foreign journal a note."""
    for one in sheet.controls:
        if one.state == "inconclusive":
            say = block if sheet.terms.ours else note
            yield say(one.name, f"control {one.name} is inconclusive: {one.why}", FIX)
    absent = [str(name) for name in BenchControl if name not in {one.name for one in sheet.controls}]
    if absent and sheet.terms.ours:
        yield block("controls", f"controls that were not planned: {listed(absent)}", FIX)
    elif absent:
        yield note("controls", f"controls that nothing here shows: {listed(absent)}; counts only", FIX)


RULE = BenchRule(
    Entry("GL081", "missing-bench-control", "0.1.0", "gate", __doc__ or ""),
    check,
    "all four controls came to a result",
    caps=True,
)
