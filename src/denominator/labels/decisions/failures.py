"""Failure events: the earliest one that nothing recovered from decides, by who wrote it and in which phase."""

from __future__ import annotations

from denominator.labels import facts
from denominator.labels.causes import cause_rule
from denominator.labels.decisions.shape import fail, unscoreable, verdict_of
from denominator.labels.shape import Ending, View


def before_any_change(view: View) -> Ending | None:
    """A failure ended the agent before it had changed anything: the tests graded the base tree, not the agent."""
    if facts.empty_patch(view.row) and facts.failed_before_grading(view.row):
        return _by_cause(view)
    return None


def never_closed(view: View) -> Ending | None:
    """An attempt of ours without an ending of its own."""
    if view.row.source.kind == "own" and not view.row.closed:
        return unscoreable("HARNESS", "", "the attempt was never closed", "closed")
    return None


def before_grading(view: View) -> Ending | None:
    """A failure in the setup or the agent's phase, unless somebody saw the tests green after it."""
    if facts.failed_before_grading(view.row) and verdict_of(view) != "green":
        return _by_cause(view)
    return None


def in_grading(view: View) -> Ending | None:
    """A failure of the verifier, or one whose phase is not known."""
    return None if facts.failed_before_grading(view.row) else _by_cause(view)


def died_in_grading(view: View) -> Ending | None:
    """The solution ended or hung its own grading: its crash is no infrastructure."""
    if facts.text(view.row.grade_stage) in facts.AFTER_HELLO:
        return fail("the solution ended or hung its own grading after the runner had begun", "grade_stage", "grade")
    return None


def _by_cause(view: View) -> Ending | None:
    failure = view.row.first_unrecovered
    if failure is None:
        return None
    rule = cause_rule(failure.cause, view.terms.causes)
    told = f"{failure.cause} by {failure.writer} in phase {failure.phase}"
    why = f"{told}, and nothing recovered from it"
    if rule.origin == "MODEL":
        return fail(why, "first_unrecovered")
    return unscoreable(rule.origin, rule.reason, why, "first_unrecovered")
