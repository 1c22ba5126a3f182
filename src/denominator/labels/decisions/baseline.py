"""What the tests said with the agent off: a task that cannot tell a right patch from a wrong one judges nobody."""

from __future__ import annotations

from denominator.labels import facts
from denominator.labels.decisions.shape import unscoreable, verdict_of
from denominator.labels.shape import Ending, View

WORK_SLICES = ("solvable", "canary", "floor")


def flaky(view: View) -> Ending | None:
    """Both results were seen with the agent off; it censors only a row in which a verdict came into being."""
    if verdict_of(view) and view.row.key.task_id in view.terms.flaky_tasks:
        return unscoreable("FLAKY_TEST", "env_flake", "the same tests were red and green with the agent off", "grade")
    return None


def expired(view: View) -> Ending | None:
    """The gold patch was green when the pack was locked and is red every time now: no agent can pass."""
    if verdict_of(view) and view.row.key.task_id in view.terms.expired_tasks:
        return unscoreable("HARNESS", "pack_expired", "the gold patch was green at the lock and is red now", "grade")
    return None


def bad_task(view: View) -> Ending | None:
    """A task to be solved whose tests say the same without the agent, or are green although nothing was changed."""
    row, verdict = view.row, verdict_of(view)
    if row.slice not in WORK_SLICES or not verdict:
        return None
    if row.green_without_agent is True or row.key.task_id in view.terms.bad_tasks:
        return unscoreable("HARNESS", "bad_task", "the tests say the same without the agent", "green_without_agent")
    if facts.empty_patch(row) and verdict == "green":
        return unscoreable("HARNESS", "bad_task", "green although nothing was changed", "grade", "patch")
    return None
