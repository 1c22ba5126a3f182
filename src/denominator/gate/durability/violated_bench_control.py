"""No control of the bench is violated.

Why it matters: each control shows one way in which the figures would be worthless. Positive (faults off, every task ends
in its expected verdict): the harness is broken. Negative (killed at context_loaded, nothing written): something wrote too
early. Replay (resumed twice, the second changes nothing): the journal is not authoritative. Silent (a foreign edit, then
a resume): the runner guesses.

Bad: "RSR 1.0" from a runner that writes before its first checkpoint. Good: no figure, and "wrote too early".
Fix: repair the harness or the runner, run the bench again."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.durability.shape import BenchRule
from denominator.gate.shape import Said, block
from denominator.records.durability import BenchSheet

FIX = "find out why, repair it, run the bench again"


def check(sheet: BenchSheet) -> Iterable[Said]:
    """Violated controls with their meaning."""
    for one in sheet.controls:
        if one.state == "violated":
            yield block(one.name, f"control_violated: {one.name}: {one.why}", FIX)


RULE = BenchRule(
    Entry("GL080", "violated-bench-control", "0.1.0", "gate", __doc__ or ""),
    check,
    "no control of the bench is violated",
)
