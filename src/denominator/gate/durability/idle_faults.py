"""Every planned fault came, and really interrupted something.

Why it matters: a fault at a point that is never reached shows nothing, and a plan full of them looks like a runner that
survives everything.

Bad: "RSR 1.0" where no fault came. Good: the faults that never came, by name.
Fix: plan faults at points that the runner passes (`faultbench list` names them)."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.durability.shape import BenchRule
from denominator.gate.shape import Said, listed, note
from denominator.records.durability import BenchSheet
from denominator.records.trials import BenchReading, is_quiet

FIX = "plan faults that the runner reaches"


def check(sheet: BenchSheet) -> Iterable[Said]:
    """Faults that could not be made, that never came, and faults that came and interrupted nothing although their kind does."""
    under = BenchReading(sheet).durable
    for fault, why in sheet.terms.skipped:
        yield note("faults", f"planned and not made here: {fault}: {why}", "bench it on a machine that can make it")
    if not sheet.terms.ours:
        return
    came = {one.fault for one in under if one.fired}
    never = sorted({one.fault for one in under} - came)
    if never:
        yield note("faults", f"never came: {listed(never)}", FIX)
    idle = came - {one.fault for one in under if one.interrupted is True or is_quiet(one)}
    if idle:
        yield note("faults", f"came and interrupted nothing: {listed(idle)}", FIX)


RULE = BenchRule(
    Entry("GL085", "idle-faults", "0.1.0", "gate", __doc__ or ""),
    check,
    "every planned fault came",
)
