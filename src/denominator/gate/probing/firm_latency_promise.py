"""A bench of one client at a time can promise nobody a latency.

Why it matters: service time at concurrency 1 knows no queue; what users wait for is mostly queue.

Bad: "p95 800 ms" in a contract. Good: a load test by whoever owns the endpoint, or no promise.
Fix: `firm_latency_promise = false`, or measure at the rate of your use and let the owner promise it."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import DECLARE
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block
from denominator.records.probe_results import ProbeScore


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """The declared answer."""
    declared = score.use.firm_latency_promise
    if declared is True:
        yield block(
            "firm_latency_promise", "a firm latency promise is needed, which no probe can give", "ask the owner"
        )
    elif declared is not False:
        what = "it is not declared whether a firm latency promise is needed"
        yield block("firm_latency_promise", what, DECLARE)


RULE = ProbeRule(
    Entry("GL101", "firm-latency-promise", "0.1.0", "gate", __doc__ or ""),
    check,
    "no firm latency promise is needed, as declared",
    Level.INTERNAL,
)
