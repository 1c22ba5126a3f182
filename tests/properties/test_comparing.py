"""What holds of every comparison: sides mirror, order does not matter, equal tasks lift nothing, nothing leaks."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from comparing_data import PLAN, arm, blocked, fine
from denominator.compare.pair import compare_sides
from denominator.records.comparisons import Comparison
from denominator.records.values import NotMeasured
from denominator.records.words import Rung
from denominator.wire.canonical import canonical
from denominator.wire.codec import to_json

ORDER = (Rung.REFUSED, Rung.COUNTS, Rung.DIRECTIONAL, Rung.ON_THIS_PACK, Rung.TASKS_LIKE_THESE)
EXITS = "PPFFUA"


@st.composite
def two_arms(draw: st.DrawFn, letters: str = EXITS, least: int = 8) -> tuple[dict[str, str], dict[str, str]]:
    """The same tasks and repeats twice."""
    tasks, repeats = draw(st.integers(least, 16)), draw(st.sampled_from([1, 1, 2, 3]))
    marks = st.text(st.sampled_from(letters), min_size=repeats, max_size=repeats)
    names = [f"t{number:02}" for number in range(tasks)]
    return {name: draw(marks) for name in names}, {name: draw(marks) for name in names}


def both(marks: tuple[dict[str, str], dict[str, str]], **over: Any) -> Comparison:
    return compare_sides(arm("A", marks[0], plan=PLAN, **over), arm("B", marks[1], plan=PLAN, **over), fine())


def value(made: Comparison, metric: str, end: str = "value") -> float | None:
    found = next((getattr(one, end) for one in made.estimates if one.metric == metric), None)
    return None if found is None or isinstance(found, NotMeasured) else float(found)


@settings(max_examples=20, deadline=None)
@given(two_arms())
def test_swapped_sides_mirror_everything(marks: tuple[dict[str, str], dict[str, str]]) -> None:
    there = both(marks)
    back = compare_sides(arm("B", marks[1], plan=PLAN), arm("A", marks[0], plan=PLAN), fine())
    assert there.verdict.rung == back.verdict.rung and there.test == back.test
    assert (there.more_a, there.more_b) == (back.more_b, back.more_a)
    for metric in ("difference", "difference_these_tasks"):
        ends = [(value(there, metric, end), value(back, metric, other)) for end, other in (("lo", "hi"), ("hi", "lo"))]
        for one, other in [*ends, (value(there, metric), value(back, metric))]:
            assert (one is None) == (other is None)
            assert one is None or other is None or abs(one + other) < 2e-6
    assert {(one.a, one.b, one.count) for one in there.transitions} == {
        (one.b, one.a, one.count) for one in back.transitions
    }
    assert not isinstance(there.worst, NotMeasured) and not isinstance(back.worst, NotMeasured)
    assert there.worst.holds == back.worst.holds
    assert abs(float(there.worst.difference_lo) + float(back.worst.difference_hi)) < 2e-6


@settings(max_examples=15, deadline=None)
@given(two_arms(), st.randoms(use_true_random=False))
def test_the_order_of_tasks_changes_no_byte(
    marks: tuple[dict[str, str], dict[str, str]], chance: random.Random
) -> None:
    def mixed(one: dict[str, str]) -> dict[str, str]:
        items = list(one.items())
        chance.shuffle(items)
        return dict(items)

    assert canonical(both(marks)) == canonical(both((mixed(marks[0]), mixed(marks[1]))))


@settings(max_examples=20, deadline=None)
@given(two_arms(), st.sampled_from("PF"))
def test_a_task_with_equal_passes_lifts_no_rung(marks: tuple[dict[str, str], dict[str, str]], letter: str) -> None:
    """At one draw a task to the letter; with repeats it never turns the exact test."""
    repeats = len(next(iter(marks[0].values())))
    before = both(marks)
    after = both(({**marks[0], "zz": letter * repeats}, {**marks[1], "zz": letter * repeats}))
    assert not isinstance(before.test, NotMeasured) and not isinstance(after.test, NotMeasured)
    assert after.test.p_exact == before.test.p_exact
    if repeats == 1:
        assert ORDER.index(Rung(after.verdict.rung)) <= ORDER.index(Rung(before.verdict.rung))


@settings(max_examples=20, deadline=None)
@given(two_arms("PFU"))
def test_bounds_hold_the_difference_and_established_excludes_zero(marks: tuple[dict[str, str], dict[str, str]]) -> None:
    made = both(marks)
    assert not isinstance(made.worst, NotMeasured)
    low, high = float(made.worst.difference_lo), float(made.worst.difference_hi)
    mean = value(made, "difference")
    assert mean is not None and low <= mean <= high
    if made.verdict.rung == Rung.TASKS_LIKE_THESE:
        assert not isinstance(made.test, NotMeasured) and not isinstance(made.test.p, NotMeasured)
        assert float(made.test.p) <= 0.05 and made.worst.holds
        assert float(made.worst.lo) > 0 or float(made.worst.hi) < 0


@settings(max_examples=15, deadline=None)
@given(two_arms(least=1), st.sampled_from(["apart", "blocked", "counts"]))
def test_nothing_sets_one_arm_against_the_other_where_it_may_not(
    marks: tuple[dict[str, str], dict[str, str]], how: str
) -> None:
    a, b = arm("A", marks[0]), arm("B", marks[1])
    if how == "apart":
        made = compare_sides(a, b, fine(status="not_comparable", reasons=("seed differs",)))
    elif how == "blocked":
        made = compare_sides(a, blocked(b, "unbalanced-ledger"), fine())
    else:
        made = compare_sides(replace(a, caps=("GL024 few-tasks",)), b, fine())
    to_json(made)
    assert made.estimates == ()
    assert all(isinstance(one, NotMeasured) for one in (made.test, made.worst, made.spread))
    assert "interval" not in made.verdict.sentence and " - " not in made.verdict.sentence
    assert (made.table == ()) == (how != "counts")
