"""Where an attempt was graded after its cap, the envelope says what that grade is worth.

Why it matters: green after the deadline is a pass under one policy and a timeout under the other. Choosing
afterwards is choosing the number.

Bad: `on_timeout` absent, and the late passes counted. Good: `on_timeout = "grade"`, sealed.
Fix: declare `policy.on_timeout` ("fail" or "grade"); it has no default.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, by_task, counted
from denominator.records.judgements import UNKNOWN, JudgedDraw, Sheet
from denominator.records.rows import AttemptRow
from denominator.records.words import StopReason


def check(sheet: Sheet) -> Iterable[Said]:
    """Rows that have a verdict after their cap while the policy is absent."""
    if sheet.terms.on_timeout in ("fail", "grade"):
        return
    late = [task for task, _, _ in sheet.placed(lambda draw: draw.row is not None and _late(draw, draw.row), "")]
    if late:
        what = f"{counted(len(late), 'draw')} graded after the cap without a policy: {by_task(late)}"
        yield block("policy.on_timeout", what, "declare on_timeout as fail or grade before the run")


def _late(draw: JudgedDraw, row: AttemptRow) -> bool:
    """A grade after the cap; or a pass that a foreign source reports although it says that a limit ended the row."""
    spent = row.after_cap is True or str(row.killed_by).startswith("budget_")
    return (spent and row.grade != "none") or (draw.exit == UNKNOWN and (spent or row.stop_reason in CLAIMED))


CLAIMED = (StopReason.TIMEOUT, StopReason.BUDGET)


RULE = Rule(
    Entry("GL021", "no-on-timeout-policy", "0.1.0", "gate", __doc__ or ""),
    check,
    "no grade after a cap depends on an undeclared policy",
)
