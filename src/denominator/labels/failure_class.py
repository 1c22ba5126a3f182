"""How a row ended, in the classes of the failure ledger.

Why it matters: two agents with one pass rate can fail in ways that need opposite repairs; one never finishes, the
other edits too much.

pass, compile_fail (the tests could not even be collected), test_fail, timeout (its own budget), no_patch, over_edit
(a forbidden or unlisted path was touched, even when the tests are green), censored (not the model's, reason known),
unresolved (nobody knows).

Bad: a crash of the harness in class test_fail. Good: censored with the reason grader_error.
Fix: an unresolved row needs an event that explains it; until then no number is printed.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Rule, Said, View


def _judge(view: View) -> Iterable[Said]:
    """The one class; `outcome` and `reason` were judged before."""
    row, outcome = view.row, view.one("outcome")
    if outcome == "pass":
        yield Said("pass", "the outcome is pass", ("grade",))
    elif outcome == "fail" and _imported(view):
        yield Said(_imported(view), f"{view.imported['failure_class'].by} says so", (), "low")
    elif outcome == "abstain":
        yield Said("no_patch", "the agent abstained", ("patch", "asked"))
    elif outcome == "unscoreable" and view.one("reason"):
        yield Said("censored", f"unscoreable: {view.one('reason')}", ("first_unrecovered", "stop_reason"))
    elif outcome == "fail":
        yield _failed(view)
    else:
        yield Said("unresolved", "no outcome or no reason is known", ("grade", "stop_reason"), "low")
    if row.grade == "tampered" and outcome != "fail":
        raise ValueError("a tampered row must be a fail")


def _imported(view: View) -> str:
    """The source's own class for a fail, where there are no facts to judge it by."""
    label = view.imported.get("failure_class")
    known = label is not None and label.value in ("compile_fail", "test_fail", "timeout", "over_edit")
    return label.value if label is not None and known and not facts.has_verdict(view.row) else ""


def _failed(view: View) -> Said:
    row = view.row
    if facts.slipped(row):
        return Said("over_edit", "a path outside the allow-list was touched", ("patch",))
    if facts.spent_budget(row) or row.after_cap is True:
        return Said("timeout", "its own budget was spent", ("killed_by", "stop_reason"))
    if facts.empty_patch(row):
        return Said("no_patch", "nothing was changed", ("patch",))
    if facts.text(row.grade_stage) == "runner_started":
        return Said("compile_fail", "the tests could not be collected", ("grade_stage",))
    return Said("test_fail", "graded and not a pass", ("grade", "grade_stage"))


RULE = Rule(
    Entry("LB004", "failure-class", "0.1.0", "labels", __doc__ or ""),
    "failure_class",
    lambda view: next(iter(_judge(view))),
)
