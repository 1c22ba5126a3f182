"""Green on tests that the agent did not write, and something is known of what it used.

Why it matters: this is the only pass that speaks of the task; it is never given by default, and never by silence.

Bad: every pass is called a contract pass because nobody looked.
Good: "9 passes, contract not evaluated for 9", or a bucket with the facts that gave it.
Fix: record who wrote the tests, the tool log and the allowed surface.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.buckets import counts_here
from denominator.labels.shape import Answer, No, Rule, Said, View, source_says
from denominator.records.words import Axis, Mix, Outcome

GREEN = "green on tests that the agent did not write"
MORE = "a tool log and the frozen spec: a surface outside the spec would make it no pass"
FIELDS = ("tests_hidden", "tests_written_by_agent", "tools", "surfaces")


def judge(view: View) -> Answer:
    """Does it hold?"""
    if not counts_here(view, Outcome.PASS):
        return No("the row is none of these exits of the solvable slice")
    row, wrote, hidden = view.row, view.row.tests_written_by_agent, view.row.tests_hidden
    stated = (wrote is False and hidden is not False) or (wrote is True and hidden is True)
    if stated or hidden is True:
        if facts.surfaces_judged(row) and facts.loops_judged(row):
            return Said(Mix.PASS_CONTRACT, f"{GREEN}, every surface and call was looked at", FIELDS)
        if facts.use_is_known(row):
            return Said(Mix.PASS_CONTRACT, f"{GREEN}, calls or surfaces were looked at in part", FIELDS, "medium", MORE)
        if stated:
            return Said(Mix.PASS_CONTRACT, f"{GREEN}, as the row states", FIELDS, "medium", MORE)
        return No("not evaluated: there is no tool log, and no surface was looked at", FIELDS)
    if facts.not_measured(hidden) and facts.not_measured(wrote) and source_says(view, Mix.PASS_CONTRACT):
        return Said(Mix.PASS_CONTRACT, "the source says so", ("imported.mix",), "low", MORE)
    return No("not evaluated: nobody states who wrote the tests that are green", FIELDS)


RULE = Rule(
    Entry("LB302", "mix-pass-contract", "0.1.0", "label mixes", __doc__ or ""),
    Axis.MIX,
    judge,
    "an invented surface would make it no pass; tests of the agent's own alone would make it weak",
)
