"""Where an SLA is needed, a probe is no substitute for one.

Why it matters: a probe is evidence about two windows, an SLA is a promise about all of them by somebody who pays.

Bad: a probe pasted into a contract. Good: the provider's SLA, with the probe as a reason to try further.
Fix: get the SLA, or declare `sla_needed = false`."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import DECLARE
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block
from denominator.records.probe_results import ProbeScore


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """The declared answer."""
    declared = score.use.sla_needed
    if declared is True:
        yield block("sla_needed", "an SLA is needed, which no probe can replace", "get it from the provider")
    elif declared is not False:
        yield block("sla_needed", "it is not declared whether an SLA is needed", DECLARE)


RULE = ProbeRule(
    Entry("GL104", "sla-needed", "0.1.0", "gate", __doc__ or ""),
    check,
    "no SLA is needed, as declared",
    Level.PRODUCTION,
)
