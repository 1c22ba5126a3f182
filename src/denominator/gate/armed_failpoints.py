"""No process of the run had failpoints armed.

Why it matters: a process that was told to die, to stall or to see a full disk shows how the harness bears it. What it did to
the attempts is no draw of the agent, and no share of them is a rate of anything that happens by itself.

Bad: "12 of 16 passed", three of the four others in a process with agent.after=enospc. Good: counts by exit, the attempts
that an injected error ended as injected_fault, and the figures of the fault bench.
The check: a start of the run, or of an attempt in it, is on record with armed failpoints; one process of many is enough.
Fix: run again without DENOMINATOR_FAILPOINTS; durability is shown by faultbench, not by a rate.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, of_kind
from denominator.records.judgements import Sheet

FIX = "run again without DENOMINATOR_FAILPOINTS; denominator faultbench score prints what faults show"


def check(sheet: Sheet) -> Iterable[Said]:
    """Processes that were told to fail."""
    for defect in of_kind(sheet, "armed_failpoints"):
        yield block("run", f"failpoints were armed: {defect.what}", FIX, defect.where)


RULE = Rule(
    Entry("GL074", "armed-failpoints", "0.1.0", "gate", __doc__ or ""),
    check,
    "no process had failpoints armed",
)
