"""Production watches the endpoint itself; a probe is never the only control.

Why it matters: a probe of last month says nothing of the deployment of last night.

Bad: "we probed it in spring". Good: a named dashboard or alert on the same classes.
Fix: name under [use] what watches the endpoint."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import DECLARE
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block
from denominator.records.probe_results import ProbeScore
from denominator.records.values import is_placeholder


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """Is monitoring declared?"""
    if is_placeholder(score.use.monitoring):
        yield block("monitoring", "no monitoring is declared", f"{DECLARE}: what watches the endpoint")


RULE = ProbeRule(
    Entry("GL102", "no-monitoring", "0.1.0", "gate", __doc__ or ""),
    check,
    "monitoring is declared",
    Level.PRODUCTION,
)
