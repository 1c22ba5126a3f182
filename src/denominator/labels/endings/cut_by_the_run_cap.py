"""The cap of the whole run cut the attempt; that is no budget of this task.

Why it matters: tasks that come late in the order are cut more often, and their loss has nothing to do with the agent.

Bad: the last six tasks are failures because the money was gone.
Good: unscoreable INFRA, reason quota_exhausted, tag run_cap_cut.
Fix: raise the cap of the run or declare fewer draws, before the run.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if view.row.run_cap_cut and not facts.has_verdict(view.row):
        return unscoreable("INFRA", "quota_exhausted", "the run's cap cut it, not its own budget", "run_cap_cut")
    return No("the run's cap did not cut it, or there is a verdict", ("run_cap_cut",))


RULE = Rule(
    Entry("LB132", "cut-by-the-run-cap", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a cap that was not reached",
)
