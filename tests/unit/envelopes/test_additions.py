"""What an envelope adds to the rules is checked when it is written, all of it in one pass."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.envelopes import complete, demo_envelope
from denominator.records.envelopes import Clause, Comparison, Reason

ENVELOPE = demo_envelope("oracle", "oracle", version="1")
GOOD = Clause(name="floor", metric="headline", why="we ship above it", at_least="0.5")


def where(**over):
    return [problem.where for problem in complete(replace(ENVELOPE, **over))]


def test_a_whole_clause_and_a_whole_reason_are_complete():
    assert where(clause=(GOOD,), loosen=(Reason(field="budget.wall_s", why="w", who="x"),)) == []


@pytest.mark.parametrize(
    ("over", "place"),
    [
        ({"name": " "}, "clause[0].name"),
        ({"metric": ""}, "clause[0].metric"),
        ({"why": ""}, "clause[0].why"),
        ({"of": "median"}, "clause[0].of"),
        ({"at_least": ""}, "clause[0].at_least"),
        ({"at_least": "half"}, "clause[0].at_least"),
        ({"at_most": "inf"}, "clause[0].at_most"),
    ],
)
def test_clauses(over, place):
    assert where(clause=(replace(GOOD, **over),)) == [place]


def test_two_clauses_of_one_name():
    assert where(clause=(GOOD, GOOD)) == ["clause[0].name", "clause[1].name"]


@pytest.mark.parametrize(
    ("reason", "place"),
    [
        (Reason(field="budget.wall", why="w", who="x"), "loosen[0].field"),
        (Reason(field="question", why="w", who="x"), "loosen[0].field"),
        (Reason(field="budget.wall_s", why=" ", who="x"), "loosen[0].why"),
        (Reason(field="task[a].verify.level", why="w", who=""), "loosen[0].who"),
    ],
)
def test_reasons(reason, place):
    assert where(loosen=(reason,)) == [place]


def test_a_misspelt_field_is_told_its_neighbours():
    (problem,) = complete(replace(ENVELOPE, loosen=(Reason(field="budget.wall", why="w", who="x"),)))
    assert "budget.wall_s" in problem.fix


@pytest.mark.parametrize(
    ("over", "place"),
    [
        ({"question": "better"}, "comparison.question"),
        ({"test": "t"}, "comparison.test"),
        ({"alpha": "0"}, "comparison.alpha"),
        ({"alpha": "1"}, "comparison.alpha"),
        ({"delivered_floor": "1.1"}, "comparison.delivered_floor"),
        ({"question": "equivalent"}, "comparison.margin"),
        ({"question": "non_inferior", "margin": "1"}, "comparison.margin"),
    ],
)
def test_comparisons(over, place):
    assert where(comparison=replace(Comparison(), **over)) == [place]
