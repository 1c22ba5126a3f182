"""When a quota answers, or nobody does, the endpoint's promises were not measured.

Why it matters: 429s are the account's; left in, they look like the model's failures, left out, the rest looks like all.

Bad: "12 of 40 passed" where 20 were rate limited. Good: "20 of 40 attempts were rate limited: nothing is said".
Fix: a slower rate (`pause_ms`), a larger quota, or a reachable address, as a new probe. The ceiling is
`use.invalid_rate_ceiling`."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import good, says_nothing
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, above, block, counted, note
from denominator.records.probe_results import ProbeScore

FIX = "probe again within the quota, or reach it"


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """The share of attempts that say nothing; a window whose passes are withheld for it."""
    for one in score.windows:
        if one.withheld:
            yield block("windows", f"window {one.number}: {one.withheld}", FIX)
    made = good(score)
    empty = [one for one in made if says_nothing(one)]
    if not empty:
        return
    kinds = ", ".join(
        f"{sum(one.reason == name for one in empty)} {name}" for name in sorted({one.reason for one in empty})
    )
    what = f"{len(empty)} of {counted(len(made), 'attempt')} say nothing of the endpoint ({kinds})"
    ceiling = score.use.invalid_rate_ceiling
    if above(len(empty), len(made), ceiling):
        yield block("attempts", f"{what}, more than the ceiling {ceiling}", FIX)
    else:
        yield note("attempts", what)


RULE = ProbeRule(
    Entry("GL095", "probe-measures-quota", "0.1.0", "gate", __doc__ or ""),
    check,
    "every attempt says something of the endpoint",
)
