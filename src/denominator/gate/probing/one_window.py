"""One hour says nothing of the next: others than prototypes need two windows at least two hours apart.

Why it matters: load, routing and deployments change by the hour; a single window is a single draw of them.

Bad: 300 attempts in ten minutes. Good: 40 at noon, 40 at three.
Fix: `probe run DIR --window 2`, two hours after the first began."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import independent_windows
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block
from denominator.records.probe_results import ProbeScore

LEAST = 2


def check(score: ProbeScore, level: Level) -> Iterable[Said]:
    """Windows whose starts both clocks show to lie two hours apart."""
    if independent_windows(score) >= LEAST:
        return
    fix = "run a second window: probe run DIR --window 2, two hours after the first began"
    shown = [
        f"window {one.number}: {one.why}" for one in score.windows if not one.independent and one.why and one.number > 1
    ]
    what = f"{level} asks for two windows two hours apart"
    yield block("windows", f"{what}; {'; '.join(shown)}" if shown else f"{what}; there is one", fix)


RULE = ProbeRule(
    Entry("GL093", "one-window", "0.1.0", "gate", __doc__ or ""),
    check,
    "two windows lie two hours apart",
    Level.CI,
)
