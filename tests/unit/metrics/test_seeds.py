"""Seeds side by side."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from denominator.judge import judge
from denominator.metrics.seeds import compare_seeds
from denominator.publish import make_card, render_card
from denominator.records.seeds import SeedTable
from denominator.records.values import NotMeasured
from judging_data import key, ledger, own, terms


def judged(classes: dict[int, list[str]]):
    rows = [
        own(f"t{at}", grade, key=key(f"t{at}", repeat), seed=seed)
        for repeat, (seed, grades) in enumerate(classes.items(), 1)
        for at, grade in enumerate(grades)
    ]
    made, given_terms = ledger(rows, source="own"), terms(origin="seal", repeats=len(classes))
    found = judge(made, given_terms)
    return found, make_card(made, given_terms, found)


def test_class_counts_stand_side_by_side_with_zeros():
    found, card = judged({7: ["green"] * 8, 11: ["red"] * 8})
    table = found.sheet.seeds
    assert isinstance(table, SeedTable)
    assert [(one.seed, dict(one.classes)) for one in table.seeds] == [
        (7, {"pass": 8, "test_fail": 0}),
        (11, {"pass": 0, "test_fail": 8}),
    ]
    assert table.wait
    assert table.pairs[0].p == "0.015625"
    text = " ".join(render_card(card).split())
    assert "seed 7 pass 8, test_fail 0" in text
    assert "wait: more than chance between 7 and 11" in text


def test_three_seeds_are_adjusted_for_their_three_pairs():
    found, _ = judged({1: ["green"] * 8, 2: ["red"] * 8, 3: ["green"] * 8})
    table = found.sheet.seeds
    assert isinstance(table, SeedTable)
    assert [(pair.first, pair.second, pair.wait) for pair in table.pairs] == [(1, 2, True), (1, 3, False), (2, 3, True)]
    assert table.pairs[0].p == "0.046875"


def test_without_seeds_or_with_one_there_is_no_table():
    none = own("t1")
    assert isinstance(judge(ledger([none]), terms()).sheet.seeds, NotMeasured)
    found, _ = judged({7: ["green", "red"]})
    assert isinstance(found.sheet.seeds, NotMeasured)


@given(st.lists(st.sampled_from(["green", "red"]), min_size=1, max_size=8), st.randoms())
def test_order_of_draws_changes_nothing_but_the_order_of_seeds(grades, random):
    found, _ = judged({7: grades, 11: grades[::-1]})
    draws = list(found.sheet.placed())
    random.shuffle(draws)
    shuffled = compare_seeds(draws)
    assert isinstance(shuffled, SeedTable)
    assert {one.seed: one.classes for one in shuffled.seeds} == {
        one.seed: one.classes for one in found.sheet.seeds.seeds
    }
    assert shuffled.wait == found.sheet.seeds.wait
