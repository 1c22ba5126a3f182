"""The same calls with the same arguments brought the same results, again and again.

Why it matters: an agent that learns nothing new from its calls spends the budget on standing still.

Bad: polling a build counts as a loop, although each answer is new.
Good: the same tool, arguments and result digest N times in a row, or a repeated block of up to five calls. A loop that is
seen counts in an incomplete log too; that there is none is said of a complete one only.
Fix: deduplicate tool arguments and stop at N; more samples of the same task are the wrong move.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.buckets import counts_here
from denominator.labels.shape import Answer, No, Rule, Said, View, source_says
from denominator.records.words import Axis, Mix, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if not counts_here(view, Outcome.FAIL, Outcome.ABSTAIN):
        return No("the row is none of these exits of the solvable slice")
    if facts.looped(view.row, view.terms):
        return Said(
            Mix.TOOL_LOOP, "the same calls brought the same results, as often as makes a loop", ("tools.repeats",)
        )
    if facts.loops_judged(view.row):
        return No("no calls repeat with the same results so often", ("tools.repeats",))
    if source_says(view, Mix.TOOL_LOOP):
        return Said(Mix.TOOL_LOOP, "the source says so", ("imported.mix", "imported.tag"), "low")
    return No("not evaluated: the tool calls or the digests of their results are not all at hand", ("tools",))


RULE = Rule(
    Entry("LB304", "mix-tool-loop", "0.1.0", "label mixes", __doc__ or ""),
    Axis.MIX,
    judge,
    "a new result of one of the repeated calls",
)
