"""The cap of the whole run cut the attempt.

Why it matters: late tasks in the order are cut more often.

Bad: the cut rows are failures.
Good: tag run_cap_cut.
Fix: raise the cap before the run.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.run_cap_cut:
        return Said("run_cap_cut", "the run's cap cut it", ("run_cap_cut",))
    return No("it does not hold", ("run_cap_cut",))


RULE = Rule(
    Entry("LB425", "tag-run-cap-cut", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
