"""What a plan can never reach is known beforehand, and its reason names what it would take."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.planning import reach
from denominator.stats import Pairs, false_pass_upper, mcnemar, repeat_mean, tango, wilson

SHARES = st.fractions(min_value=Fraction(1, 50), max_value=Fraction(49, 50), max_denominator=50)


def takes(text: str) -> int:
    found = re.search(r"it takes (\d+)", text)
    assert found, text
    return int(found[1])


@given(tasks=st.integers(1, 300), threshold=SHARES)
def test_the_lower_end_is_out_of_reach_exactly_when_all_passes_do_not_meet_it(tasks: int, threshold: Fraction) -> None:
    said = reach.rate_lower(tasks, 1, threshold)
    assert bool(said) == (wilson(tasks, tasks).lo < threshold)
    if said:
        needed = takes(said)
        assert wilson(needed, needed).lo >= threshold > wilson(needed - 1, needed - 1).lo


@given(tasks=st.integers(2, 120), repeats=st.integers(2, 5), threshold=SHARES)
def test_repeats_do_not_lift_the_lower_end_of_all_passes(tasks: int, repeats: int, threshold: Fraction) -> None:
    lo = repeat_mean([repeats] * tasks, repeats).interval.lo
    assert reach.all_pass_lower(tasks, repeats) == pytest.approx(lo, abs=1e-12)
    assert bool(reach.rate_lower(tasks, repeats, threshold)) == (lo < threshold)
    hi = repeat_mean([0] * tasks, repeats).interval.hi
    assert bool(reach.rate_upper(tasks, repeats, threshold)) == (hi > threshold)


@given(tasks=st.integers(1, 200), width=SHARES)
def test_no_count_of_passes_has_a_narrower_interval_than_what_is_out_of_reach(tasks: int, width: Fraction) -> None:
    narrowest = min(wilson(k, tasks).hi - wilson(k, tasks).lo for k in range(tasks + 1))
    assert bool(reach.narrower(tasks, 1, width)) == (narrowest >= width)


@pytest.mark.parametrize(("tasks", "one_sided", "out"), [(58, True, True), (59, True, False), (71, False, True), (72, False, False)])  # fmt: skip
def test_p95_has_an_upper_bound_from_59_or_72_tasks(tasks: int, one_sided: bool, out: bool) -> None:
    said = reach.p95_upper(tasks, one_sided=one_sided)
    assert bool(said) == out
    assert not out or takes(said) == (59 if one_sided else 72)


@pytest.mark.parametrize(("margin", "least"), [("0.15", 16), ("0.10", 25), ("0.05", 52), ("0.02", 133)])
def test_a_margin_needs_the_tasks_of_the_table(margin: str, least: int) -> None:
    assert takes(reach.equivalence(least - 1, 1, Fraction(margin))) == least
    assert reach.equivalence(least, 1, Fraction(margin)) == ""
    table = Pairs(least, 0, 0, 0)
    assert tango(table, Fraction(9, 10)).hi < float(Fraction(margin))


def test_a_margin_with_repeats_needs_the_floored_interval_inside_it() -> None:
    needed = takes(reach.equivalence(5, 5, Fraction(1, 10)))
    assert reach.equivalence(needed, 5, Fraction(1, 10)) == "" != reach.equivalence(needed - 1, 5, Fraction(1, 10))


@given(tasks=st.integers(0, 40), midp=st.booleans())
def test_the_exact_test_rejects_on_some_result_or_is_out_of_reach(tasks: int, midp: bool) -> None:
    assert bool(reach.exact_test(tasks, midp=midp)) == (tasks < (5 if midp else 6))


@given(tasks=st.integers(6, 400), difference=SHARES)
def test_the_floor_is_the_smallest_difference_that_any_split_establishes(tasks: int, difference: Fraction) -> None:
    said = reach.difference_floor(tasks, difference)
    most = int(difference * tasks)
    assert bool(said) == (mcnemar(most, 0) > Fraction(5, 100))
    if said:
        assert takes(said) * difference >= 6


@given(controls=st.integers(0, 100), threshold=SHARES)
def test_clean_controls_bound_the_false_pass_rate_or_say_how_many_would(controls: int, threshold: Fraction) -> None:
    said = reach.false_passes(controls, threshold)
    assert bool(said) == (false_pass_upper(controls) > threshold)
    if said:
        assert not reach.false_passes(takes(said), threshold)


def test_agreement_and_flips() -> None:
    assert reach.agreement(49)
    assert not reach.agreement(50)
    assert reach.flips(60, 1)
    assert not reach.flips(60, 2)
    assert takes(reach.flips(10, 2, Fraction(1, 5))) == 14
    assert reach.unreachable("", "a", "") == ("a",)
