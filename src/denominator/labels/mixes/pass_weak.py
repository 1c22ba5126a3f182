"""Green, but the only passing tests are the agent's own, mocks or snapshots.

Why it matters: who writes the test can write one that passes; such a pass says that the agent agrees with itself.

Bad: written_tests is true, so every such row is weak, even where hidden tests are green too.
Good: weak only where nothing else passed.
Fix: hide tests: green on tests that the agent never saw is another thing.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.buckets import counts_here
from denominator.labels.shape import Answer, No, Rule, Said, View, source_says
from denominator.records.words import Axis, Mix, Outcome

AUTHORS = ("tests_hidden", "tests_written_by_agent")


def judge(view: View) -> Answer:
    """Does it hold?"""
    if not counts_here(view, Outcome.PASS):
        return No("the row is none of these exits of the solvable slice")
    row = view.row
    if row.tests_hidden is False and row.tests_written_by_agent is True:
        return Said(Mix.PASS_WEAK, "the only passing tests are the agent's own", AUTHORS)
    if row.weak_tests:
        return Said(Mix.PASS_WEAK, "the only passing tests are mocks or snapshots", ("weak_tests",))
    if facts.not_measured(row.tests_hidden) and source_says(view, Mix.PASS_WEAK):
        return Said(Mix.PASS_WEAK, "the source says so", ("imported.mix",), "low")
    return No("it is not known that only weak tests passed", (*AUTHORS, "weak_tests"))


RULE = Rule(
    Entry("LB301", "mix-pass-weak", "0.1.0", "label mixes", __doc__ or ""),
    Axis.MIX,
    judge,
    "hidden tests that are green beside the agent's own",
)
