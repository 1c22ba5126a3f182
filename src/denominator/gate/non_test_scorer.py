"""What scores the headline is a test, a compiler, a schema or a golden diff.

Why it matters: a model or a person that judges may be right, but not in the same way tomorrow; such scores never
feed a headline.

Bad: scorer "model" and a pass rate. Good: scorer "tests".

Foreign rows that do not name their scorer are noted and capped at counts.
Fix: score with hidden tests.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, listed, note
from denominator.records.judgements import Sheet

MECHANICAL = ("tests", "compile", "schema", "golden_diff")


def check(sheet: Sheet) -> Iterable[Said]:
    """The sealed or declared kind of scorer."""
    scorer = sheet.terms.scorer
    if scorer in ("model", "person"):
        yield block("metric.scorer", f"the scorer is a {scorer}", "score with hidden tests")
    elif scorer not in MECHANICAL:
        say = block if sheet.terms.origin == "seal" else note
        yield say("metric.scorer", f"the scorer is {scorer or 'not stated'}", f"state one of {listed(MECHANICAL)}")


RULE = Rule(
    Entry("GL026", "non-test-scorer", "0.1.0", "gate", __doc__ or ""),
    check,
    "the scorer is mechanical",
    caps=True,
)
