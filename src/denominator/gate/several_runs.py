"""Whoever shows one run of several lists them all.

Why it matters: the larger of two equal runs lies 0.56 standard deviations above their mean, of three 0.85, of five 1.16.
Nobody has to cheat for that: it is enough to show the one that looked right.

Bad: the third run of the same envelope, alone. Good: "1 of 3 runs of this envelope, arm and pack", with the ids.
The check: other runs of the same envelope, arm and pack in the folder of runs, or named by the manifest.
Fix: print all of them; which one counts is decided before the first.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, counted, listed, note
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """The siblings that are known."""
    others = sheet.terms.siblings
    if others:
        m = len(set(others)) + 1
        what = f"1 of {counted(m, 'run')} of this envelope, arm and pack; the others: {listed(others)}"
        yield note("runs", what, "print them all; the largest of several is no estimate")


RULE = Rule(
    Entry("GL055", "several-runs", "0.1.0", "gate", __doc__ or ""),
    check,
    "no other run of this envelope, arm and pack is known",
)
