"""A decision of a team rests on at least twenty cases.

Why it matters: attempts repeat a case; what else can go wrong is shown by other cases.

Bad: one prompt, 100 times. Good: 24 cases over eight groups, three times each.
Fix: more cases in the fixture, as a new probe; or declare `team_decision = false`."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block, counted, note
from denominator.records.probe_results import ProbeScore

LEAST = 20


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """Cases of the fixture, where a team decides by them."""
    if score.cases >= LEAST:
        return
    what = f"{counted(score.cases, 'case')}; a decision of a team asks for {LEAST}"
    if score.use.team_decision is True:
        yield block("cases", what, f"{counted(LEAST - score.cases, 'more case')} in the fixture")
    elif score.use.team_decision is not False:
        yield note("cases", f"{what}, and whether one is meant is not declared")


RULE = ProbeRule(
    Entry("GL105", "few-probe-cases", "0.1.0", "gate", __doc__ or ""),
    check,
    "there are enough cases for what is decided",
)
