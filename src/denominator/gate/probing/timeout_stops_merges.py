"""A timeout of somebody else's machine must not stop everybody's merges.

Why it matters: a required check over a network is an outage that waits for its day.

Bad: a required check without a fallback. Good: the check reports, a person or a rule decides.
Fix: make the check advisory on timeouts, then declare `timeout_stops_merges = false`."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import DECLARE
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block
from denominator.records.probe_results import ProbeScore


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """The declared answer."""
    declared = score.use.timeout_stops_merges
    if declared is True:
        yield block("timeout_stops_merges", "a timeout would stop all merges", "let a timeout warn instead of stop")
    elif declared is not False:
        yield block("timeout_stops_merges", "it is not declared whether a timeout stops merges", DECLARE)


RULE = ProbeRule(
    Entry("GL099", "timeout-stops-merges", "0.1.0", "gate", __doc__ or ""),
    check,
    "a timeout stops no merges, as declared",
    Level.CI,
)
