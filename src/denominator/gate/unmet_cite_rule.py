"""The rule by which a result may be cited was written before it, and is held against it.

Why it matters: a rule that is chosen after the results chooses the results.

Bad: "3 seeds would have been too many", after the second. Good: `cite.rule = "failure-classes"` in the envelope, and on
the card: 2 seeds, 3 are the least to cite.

Known rules: first-complete (M15), failure-classes (M13), frozen-envelope (M9), never. A rule in free words is printed as
it was written, and a person must check it. Foreign rows without a rule are held against the one that fits their shape.
Fix: `denominator gate --cite` lists everything that is missing.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.citing import rule_of, unmet
from denominator.gate.shape import Rule, Said, note
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """Every condition of the rule that does not hold, in one line. Words of a manifest are not repeated here."""
    found = unmet(sheet)
    if found:
        own = sheet.terms.cite_rule if sheet.terms.origin == "seal" else ""
        rule = own or rule_of(sheet) or "no rule that is known"
        yield note("cite", f"not to be cited ({rule}): {'; '.join(found)}", "denominator gate --cite lists all of it")


RULE = Rule(
    Entry("GL056", "unmet-cite-rule", "0.1.0", "gate", __doc__ or ""),
    check,
    "the sealed rule of citation holds",
)
