"""Production has a written data policy for what is sent to the endpoint.

Why it matters: retention and training on inputs are terms, and terms change.

Bad: "they surely delete it". Good: the policy by name and date. Regulated data is never a use of this bench.
Fix: name the policy under [use]."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import DECLARE
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block
from denominator.records.probe_results import ProbeScore
from denominator.records.values import is_placeholder


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """Is a data policy declared?"""
    if is_placeholder(score.use.data_policy):
        yield block("data_policy", "no data policy is declared", f"{DECLARE}: the policy that covers what is sent")


RULE = ProbeRule(
    Entry("GL103", "no-data-policy", "0.1.0", "gate", __doc__ or ""),
    check,
    "a data policy is declared",
    Level.PRODUCTION,
)
