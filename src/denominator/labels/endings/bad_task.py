"""The tests of a task to be solved say the same without the agent.

Why it matters: a task that is green with nothing changed hands out passes; one that the reference patch fails hands
out failures.

Bad: "solvable" and green before and after with an empty patch: one more pass.
Good: unscoreable HARNESS, reason bad_task; sandbox_config or grader_error where the gradings of the reference patch say so.
Fix: add a test that fails without the change, or move the task to the controls; lock a new version.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.labels.verdicts import verdict_of
from denominator.records.words import Grade

WORK_SLICES = ("solvable", "canary", "floor")


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row, verdict = view.row, verdict_of(view)
    if row.slice not in WORK_SLICES or not verdict:
        return No("it is no task to be solved, or there is no verdict", ("slice", "grade"))
    blamed = dict(view.terms.blamed).get(row.key.task_id)
    if blamed and row.key.task_id in view.terms.bad_tasks:
        why = "the reference patch is red in this box too, and its grading says why"
        return unscoreable("HARNESS", blamed, why, "green_without_agent")
    if row.green_without_agent is True or row.key.task_id in view.terms.bad_tasks:
        return unscoreable("HARNESS", "bad_task", "the tests say the same without the agent", "green_without_agent")
    if facts.empty_patch(row) and verdict == Grade.GREEN:
        return unscoreable("HARNESS", "bad_task", "green although nothing was changed", "grade", "patch")
    return No("the tests are not known to say the same without the agent", ("green_without_agent", "patch"))


RULE = Rule(
    Entry("LB113", "bad-task", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a baseline in which the tests are red with nothing changed",
)
