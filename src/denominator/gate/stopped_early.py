"""A run that stopped early says why.

Why it matters: what was left out was chosen by whatever stopped the run: the long tasks by a clock, the last ones by a
bill.

Bad: 38 of 50 rows and no word. Good: "stopped early: the run's own cap cut 2 attempts", beside the five terms.
Fix: resume it; or declare beforehand which draws may stay away.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, counted, note
from denominator.records.judgements import Sheet
from denominator.stats.mentions import without_numbers


def check(sheet: Sheet) -> Iterable[Said]:
    """The reason that was recorded (without numbers: it may be anyone's words), or what the rows show."""
    cut = sum(many for row, many in sheet.rows() if row.run_cap_cut)
    if sheet.terms.stopped:
        yield note("run", f"stopped early: {without_numbers(sheet.terms.stopped)}")
    if cut:
        yield note("run", f"stopped early: the cap of the run cut {counted(cut, 'attempt')}")
    never = sheet.unnamed + sum(many for draw, many in sheet.alike() if draw.exit == "never_started")
    if never and not cut and not sheet.terms.stopped:
        yield note("run", f"stopped early or incomplete, why is not recorded: {counted(never, 'draw')} never started")


RULE = Rule(
    Entry("GL057", "stopped-early", "0.1.0", "gate", __doc__ or ""),
    check,
    "no sign that the run stopped early",
)
