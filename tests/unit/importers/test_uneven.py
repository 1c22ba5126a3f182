"""Tasks that a source scheduled more often than others: what is declared, and the two rates that come of it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from denominator.records.values import NotMeasured
from denominator.stats import decimal6, drawn_mean, uneven_mean
from unit.importers.given import judged, take

DRAWS, PASSES = {"a": 4, "b": 1, "c": 3}, {"a": 1, "b": 1, "c": 2}
ROWS = [
    {"task_id": task, "repeat": number, "attempt": 1, "outcome": "pass" if number <= PASSES[task] else "fail"}
    for task, draws in DRAWS.items()
    for number in range(1, draws + 1)
]
MANIFEST = {"claim_id": "uneven", "draws": DRAWS, "max_attempts": 1, "invalid_rate_ceiling": "0.5", "scorer": "tests"}


def estimates(rows, **over):
    return {
        one.metric: one for one in judged(take({"rows.jsonl": rows, "manifest.json": MANIFEST | over})).sheet.estimates
    }


def test_a_rate_over_draws_and_a_mean_over_tasks_are_two_numbers():
    found = estimates(ROWS)
    headline, mean = found["headline"], found["suite_mean"]
    assert (headline.numerator, headline.denominator, headline.value) == (4, 8, "0.500000")
    assert mean.value == decimal6((Fraction(1, 4) + 1 + Fraction(2, 3)) / 3)
    assert mean.denominator == 3
    assert isinstance(mean.numerator, NotMeasured)
    counts = list(PASSES.values()), list(DRAWS.values())
    assert headline.hi == decimal6(drawn_mean(*counts).interval.hi)
    assert mean.hi == decimal6(uneven_mean(*counts).interval.hi)


def test_a_draw_that_left_no_row_never_started_and_stays_in_both():
    found = estimates([row for row in ROWS if (row["task_id"], row["repeat"]) != ("c", 1)])
    assert (found["headline"].numerator, found["headline"].denominator) == (3, 8)
    assert found["suite_mean"].value == decimal6((Fraction(1, 4) + 1 + Fraction(1, 3)) / 3)


def test_with_even_repeats_the_mean_over_tasks_is_the_headline_and_not_said_twice():
    assert isinstance(estimates(ROWS[:1] + ROWS[4:6], draws={"a": 1, "b": 1, "c": 1})["suite_mean"].value, NotMeasured)


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ({"task_ids": ["a", "b"]}, "draws and task_ids name different tasks: c"),
        ({"draws": {"a": 0}}, "draws.a"),
        ({"draws": {"a": "often"}}, "draws.a"),
        ({"draws": [4, 1, 3]}, "is not a table of tasks"),
    ],
)
def test_a_schedule_that_cannot_be_read_blocks(over, said):
    defects = take({"rows.jsonl": ROWS, "manifest.json": MANIFEST | over}).ledger.defects
    assert [one for one in defects if said in one.what and one.blocks], defects
