"""A handful of requests shows one fault at most; each use has its least number of attempts.

Why it matters: an endpoint that drops one answer in ten passes three attempts in seven tries of ten.

Bad: "works" after 3 requests. Good: 12 attempts for a prototype, 30 and more over two windows for anything that others rely on.
Fix: more cases or more attempts in `probe.toml`, as a new probe."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import telling
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block, counted
from denominator.records.probe_results import ProbeScore

LEAST = {Level.PROTOTYPE: 12}
OTHERWISE = 30


def check(score: ProbeScore, level: Level) -> Iterable[Said]:
    """Attempts of good requests that say something."""
    made, least = len(telling(score)), LEAST.get(level, OTHERWISE)
    if made < least:
        what = f"{counted(made, 'attempt')} of good requests say something; {level} asks for {least}"
        yield block("attempts", what, f"{counted(least - made, 'more attempt')}: more cases, or more attempts of each")


RULE = ProbeRule(
    Entry("GL091", "few-probe-attempts", "0.1.0", "gate", __doc__ or ""),
    check,
    "there are enough attempts",
)
