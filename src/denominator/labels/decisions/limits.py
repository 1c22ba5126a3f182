"""Limits that ended a row: the agent's own budget is the agent's, every other limit censors it."""

from __future__ import annotations

from denominator.labels import facts
from denominator.labels.decisions.shape import fail, unscoreable, verdict_of
from denominator.labels.shape import Ending, View
from denominator.records.judgements import UNKNOWN


def verdict_after_cap(view: View) -> Ending | None:
    """A verdict on what a spent budget left on disk counts as the sealed policy says; without a policy it is unknown."""
    row, verdict = view.row, verdict_of(view)
    if not verdict or not (facts.spent_budget(row) or row.after_cap is True):
        return None
    fields = ("killed_by", "stop_reason", "after_cap", "grade")
    if view.terms.on_timeout == "fail" or verdict == "red":
        return fail("its own budget was spent", *fields)
    if view.terms.on_timeout == "grade":
        return None
    return Ending(UNKNOWN, "MODEL", "green after its cap, and on_timeout is not declared", fields)


def run_cap(view: View) -> Ending | None:
    """The cap of the whole run cut it; that is no budget of this agent's on this task."""
    if view.row.run_cap_cut and not facts.has_verdict(view.row):
        return unscoreable("INFRA", "quota_exhausted", "the run's cap cut it, not its own budget", "run_cap_cut")
    return None


def own_budget(view: View) -> Ending | None:
    """Its own declared budget was spent and nothing was graded; pauses of the provider are not its own time."""
    row = view.row
    if facts.spent_budget(row) and verdict_of(view) != "green":
        return fail("its own budget was spent", "killed_by", "stop_reason")
    if facts.text(row.killed_by) == "budget_wall" and facts.paused_longer_than_worked(row):
        why = "the provider's pauses took more of the wall clock than the agent did"
        return unscoreable("INFRA", "provider_pause", why, "killed_by", "paused_ms", "working_ms")
    return None


def killed(view: View) -> Ending | None:
    """Who sent the signal comes before what the signal's number may mean."""
    sender = facts.text(view.row.killed_by)
    if sender == "kernel_oom" or (view.row.oom is True and sender == ""):
        return unscoreable("INFRA", "oom_sandbox", "the sandbox's memory limit ended it", "killed_by", "oom")
    if sender == "harness_stop":
        return unscoreable("HARNESS", "harness_killed", "the harness stopped it", "killed_by")
    return None
