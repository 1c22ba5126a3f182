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
from denominator.gate.shape import Rule, Said, block, of_kind
from denominator.records.judgements import Sheet

FIX = "a person must look at the named attempt"


def check(sheet: Sheet) -> Iterable[Said]:
    """One finding per defect."""
    for defect in of_kind(sheet, "unknown_state"):
        yield block("run", defect.what, FIX, defect.where)


RULE = Rule(
    Entry("GL030", "unknown-state", "0.1.0", "gate", __doc__ or ""),
    check,
    "the journal explains every state",
)
