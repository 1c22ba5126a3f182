"""The verifier ran to its end and the hidden tests are red.

Why it matters: a verdict outranks every text: the words "connection reset" in a log cannot turn a red suite into
weather.

Bad: INFRA, because the agent's own fixture holds the sentence "429 slow down".
Good: outcome fail, origin MODEL; texts are kept as hints for reading.
Fix: read the report; a red that you doubt needs a baseline, not a pattern.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import fail
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.records.words import Grade


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if facts.grade_of(view.row) != Grade.RED:
        return No("no verifier says red", ("grade", "runner_ending"))
    return fail("the hidden tests are red", "grade", "tests")


RULE = Rule(
    Entry("LB124", "red", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a green report on exactly the expected tests",
)
