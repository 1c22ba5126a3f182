"""Every label rule could be evaluated on every row that counts.

Why it matters: a rule that crashed has said nothing; silence must not count as consent.

Bad: the exception is logged and the row stays a pass. Good: axis unknown, rule named, number withheld.
Fix: report the rule and the row; this is a bug of ours.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, listed, unknown
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """Labels with the value unknown that a crash gave."""
    crashed: dict[str, list[str]] = {}
    for label in sheet.labels:
        if label.value == "unknown" and label.why.startswith("the rule"):
            crashed.setdefault(label.by, []).append(label.key.task_id)
    for by, tasks in sorted(crashed.items()):
        yield unknown(by, f"the label rule could not be evaluated on {listed(tasks)}", "report the rule and the row")


RULE = Rule(
    Entry("GL032", "unevaluated-labels", "0.1.0", "gate", __doc__ or ""),
    check,
    "every label rule could be evaluated",
)
