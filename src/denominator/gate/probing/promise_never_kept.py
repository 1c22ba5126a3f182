"""A promise that was never kept is no matter of luck.

Why it matters: counts of many groups hide that one of them failed every time.

Bad: "66 of 72 passed" where all six tool calls failed. Good: "tools: 0 of 6 passed (6 tool_call_miss)".
Fix: do without what the group is about and leave it out of the fixture, or use another endpoint. A prototype may go on:
there it is a note."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import telling, told
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block, note
from denominator.records.probe_results import ProbeScore
from denominator.records.probe_words import Cls

LEAST = 3


def check(score: ProbeScore, level: Level) -> Iterable[Said]:
    """Groups of good requests in which nothing passed."""
    counted = told(score, telling(score))
    for group in sorted({one.group for one in counted}):
        made = [one for one in counted if one.group == group]
        if len(made) < LEAST or any(one.cls == Cls.PASS for one in made):
            continue
        words = sorted({one.cls for one in made})
        shown = ", ".join(f"{sum(one.cls == word for one in made)} {word}" for word in words)
        what = f"{group}: 0 of {len(made)} attempts passed ({shown})"
        say = note if level is Level.PROTOTYPE else block
        yield say(
            "promises",
            what,
            f"use another endpoint; or do without {group}: a new probe of a fixture without that group",
        )


RULE = ProbeRule(
    Entry("GL106", "promise-never-kept", "0.1.0", "gate", __doc__ or ""),
    check,
    "every group passed at least once",
)
