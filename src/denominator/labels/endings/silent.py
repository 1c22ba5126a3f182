"""The agent ended by itself, without an error, and changed nothing.

Why it matters: leaving the tree alone is an answer; it is not a wrong patch, and not a crash.

Bad: an empty patch is graded red and counted among the wrong solutions.
Good: outcome abstain, origin MODEL, tag silent, class no_patch; counted in n.
Fix: if every task ends so, look whether the agent can write to the workspace at all.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import abstain
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.labels.verdicts import imported_outcome, verdict_of
from denominator.records.words import MUST_NOT_PASS, Control, Grade


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row = view.row
    if not facts.empty_patch(row):
        return No("it is not known that nothing was changed", ("patch",))
    if not facts.clean_end(row) or facts.spent_budget(row) or facts.on_the_wall_clock(row):
        return No("the agent did not end cleanly by itself", ("agent_exit", "agent_signal", "killed_by", "stop_reason"))
    if row.control == Control.NOOP_MUST_STAY_GREEN or facts.ended_unseen(row):
        return No("nothing was to do, or something ended the attempt", ("control", "first_unrecovered"))
    if row.control in MUST_NOT_PASS and verdict_of(view) == Grade.GREEN:
        return No("a control that must not pass is green", ("control", "grade"))
    if not facts.has_verdict(row) and (facts.stopped_by_others(row) or _excused(view)):
        return No(
            "others stopped it, or it is not known that the agent ended by itself", ("stop_reason", "run_cap_cut")
        )
    return abstain("the agent ended cleanly and changed nothing", "patch", "agent_exit", "killed_by")


def _excused(view: View) -> bool:
    """Does the source call the row unscoreable, where nothing shows how the agent itself ended?"""
    return imported_outcome(view) == "unscoreable" and facts.not_measured(view.row.agent_exit)


RULE = Rule(
    Entry("LB122", "silent", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a change in the tree, or an agent that did not end by itself",
)
