"""Whatever relies on an endpoint has a way without it.

Why it matters: every endpoint fails for an hour some day; what happens then is decided before, or by accident.

Bad: a red build until somebody notices. Good: `fallback = "the check is skipped and says so"`.
Fix: write under [use] what happens when the endpoint does not answer."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import DECLARE
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block
from denominator.records.probe_results import ProbeScore
from denominator.records.values import is_placeholder


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """Is a fallback declared?"""
    if is_placeholder(score.use.fallback):
        yield block("fallback", "no fallback path is declared", f"{DECLARE}: what happens without an answer")


RULE = ProbeRule(
    Entry("GL098", "no-fallback", "0.1.0", "gate", __doc__ or ""),
    check,
    "a fallback path is declared",
    Level.CI,
)
