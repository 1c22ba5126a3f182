"""The reference patch is red in the same box, so no patch can be green in it.

Why it matters: an engine upgrade, a missing package or a clock can break the tests for everybody; then red says
nothing about an agent.

Bad: a browser cannot start under the new sandbox profile, 9 of 11 tests fail, and the agent is blamed.
Good: unscoreable HARNESS: sandbox_config where the sandbox says so, pack_expired or bad_task else.
Fix: run the reference patch in the same box before the run and after every change of the host.
"""

from __future__ import annotations

from dataclasses import replace

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.hints import SANDBOX_CAUSES, field_of, sandbox_hint
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.labels.verdicts import verdict_of
from denominator.records.words import Grade


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row = view.row
    if facts.text(row.gold_now) != Grade.RED:
        return No("nothing says that the reference patch is red here", ("gold_now",))
    if not verdict_of(view) and (row.first_unrecovered is not None or facts.timed_out(row)):
        return No("no verdict came into being, and something else explains that", ("grade", "first_unrecovered"))
    if facts.failure_cause(row) in SANDBOX_CAUSES:
        why = "the reference patch is red in this box too, and the sandbox failed"
        return unscoreable("HARNESS", "sandbox_config", why, "gold_now", "first_unrecovered")
    if (hint := sandbox_hint(view)) is not None:
        why = "the reference patch is red in this box too, and a text speaks of the sandbox"
        return replace(unscoreable("HARNESS", "sandbox_config", why, "gold_now", field_of(hint)), confidence="medium")
    expired = row.key.task_id in view.terms.expired_tasks
    why = "the reference patch is red in this box too" + (", and was green at the lock" if expired else "")
    return unscoreable("HARNESS", "pack_expired" if expired else "bad_task", why, "gold_now", "grade")


RULE = Rule(
    Entry("LB111", "gold-is-red-here", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a green reference patch in the same box",
)
