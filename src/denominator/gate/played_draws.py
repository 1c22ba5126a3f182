"""A recording that answers again draws nothing new.

Why it matters: a played run repeats what a model said once. Counted as draws, one evening's luck could be printed as many
repeats, and would agree with itself for ever.

Bad: "80 of 80 passed", of which 64 are four playings of the same 16 draws. Good: counts, "played from a recording of run
r1", and the rate of r1 itself.
Fix: print the number of the run that was recorded, or run again against the endpoint.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, counted
from denominator.records.judgements import JudgedDraw, Sheet

FIX = "print the number of the recorded run, or run again without the cassette"


def check(sheet: Sheet) -> Iterable[Said]:
    """A sealed recording, or rows that say that one answered."""
    tape = sheet.terms.cassette
    many = sheet.count(_played, "")
    if tape is not None:
        what = f"every answer was played from a recording of run {tape.run_id} (cassette {tape.sha256[:12]})"
        yield block("draws", f"{what}: no draw is a new one", FIX)
    elif many:
        yield block("draws", f"{counted(many, 'draw was', 'draws were')} played from a recording: no new draws", FIX)


def _played(draw: JudgedDraw) -> bool:
    return any(row.played for row in draw.tries)


RULE = Rule(
    Entry("GL060", "played-draws", "0.1.0", "gate", __doc__ or ""),
    check,
    "no draw was played from a recording",
)
