"""The journal explains what is on the disk.

Why it matters: a tree that no recorded step can have produced may hold anything; guessing would hand a verdict to
it.

Bad: the runner repairs what it finds and goes on. Good: it stops, names task, checkpoint and the digests, and a
person looks.
Fix: look at the named attempt; give it up as unknown_state, or run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, from_defects
from denominator.records.judgements import Sheet

FIX = "a person must look at the named attempt"


def check(sheet: Sheet) -> Iterable[Said]:
    """What the audit or the reader found."""
    return from_defects(sheet, "run", FIX, "unknown_state")


RULE = Rule(
    Entry("GL030", "unknown-state", "0.1.0", "gate", __doc__ or ""),
    check,
    "the journal explains every state",
)
