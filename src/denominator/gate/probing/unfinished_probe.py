"""Every planned attempt of a window is there.

Why it matters: the attempts that are missing are those during which something broke; counts over the rest look good.

Bad: 31 of 72 attempts, none failed. Good: the 41 that are missing by name, and no sentence.
Fix: `probe run DIR` goes on where it stopped."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block, counted, listed
from denominator.records.probe_results import ProbeScore

MOST = 5


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """Planned attempts without a row."""
    if score.missing:
        what = f"{counted(len(score.missing), 'planned attempt')} missing: {listed(score.missing, MOST)}"
        yield block("attempts", what, "run the window to its end: probe run DIR")
    if not score.windows:
        yield block("windows", "no window was run", "probe run DIR")


RULE = ProbeRule(
    Entry("GL094", "unfinished-probe", "0.1.0", "gate", __doc__ or ""),
    check,
    "every planned attempt is there",
)
