"""A waiver names a rule that can be waived, why, who answers for it, and until when.

Why it matters: a waiver with a misspelt rule looks like a decision and is none; one without an end is a rule less.

Bad: `rule = "violated-control"`, or `until = "later"`. Good: `rule = "inconclusive-control"`, why, who, and a date; the
card and the sentence print it.
Fix: take the waiver out of the envelope, or complete it, then seal and run again. What can be waived is a closed list:
never missing envelope fields, an unbalanced ledger, a violated control or a changed seal.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, listed, note
from denominator.gate.waivers import WAIVABLE, expired, problem_of
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """Waivers that mean nothing block; one that was over before the seal waives nothing, and is noted."""
    for number, waiver in enumerate(sheet.terms.allow):
        where = f"allow[{number}]"
        if problem := problem_of(waiver):
            yield block("waiver", problem, f"take it out or complete it; what can be waived: {listed(WAIVABLE)}", where)
        elif expired(waiver, sheet.terms):
            what = f"the waiver of {waiver.rule} ended on {waiver.until}, before the seal was made: it waives nothing"
            yield note("waiver", what, "decide again, with a new date", where)


RULE = Rule(
    Entry("GL035", "unfit-waiver", "0.1.0", "gate", __doc__ or ""),
    check,
    "no waiver is unfit",
)
