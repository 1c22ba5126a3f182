"""A tool that people use has an error budget, and the attempts stay inside it.

Why it matters: without a number nobody knows when the endpoint became worse than was agreed.

Bad: "a few failures". Good: budget 0.05; 1 of 72 attempts broke a promise, upper end of the 95 % interval 0.075: not shown.
Fix: declare `error_budget` under [use]; above it use another endpoint, or a use that bears more errors."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from denominator.catalog import Entry
from denominator.gate.probing.reading import DECLARE, broken, telling, told
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, above, block, note, unknown
from denominator.records.probe_results import ProbeScore
from denominator.stats import wilson
from denominator.stats.decimals import decimal6


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """Broken promises among the attempts that say something, and what their number cannot exclude."""
    budget = score.use.error_budget
    if not budget:
        yield block("error_budget", "no error budget is declared", f"{DECLARE}; a share such as 0.02")
        return
    if not told(score, telling(score)):
        yield unknown("error_budget", "no attempt may be counted", "see what withholds the passes")
        return
    k, n = len(broken(score)), len(told(score, telling(score)))
    if above(k, n, budget):
        yield block(
            "error_budget",
            f"{k} of {n} attempts broke a promise, above the budget {budget}",
            "use another endpoint, or a use that bears more errors",
        )
        return
    upper = wilson(k, n).hi
    if upper > Fraction(budget):
        what = f"{k} of {n} attempts broke a promise; up to {decimal6(upper)} cannot be excluded (Wilson, 95 %), budget {budget}"
        yield note("error_budget", what, "more attempts narrow it")


RULE = ProbeRule(
    Entry("GL100", "error-budget", "0.1.0", "gate", __doc__ or ""),
    check,
    "the attempts stay inside the declared budget",
    Level.INTERNAL,
)
