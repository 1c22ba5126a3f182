"""Numbers that are never put in order stand where sorting puts them."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from denominator.stats import quantile_interval, quantile_type7
from denominator.stats.ranked import Ranked, in_order

VALUES = st.lists(st.one_of(st.integers(-3, 9), st.integers(0, 10**6), st.integers(-(2**70), 2**70)), max_size=60)


@given(VALUES)
def test_every_place_holds_what_sorting_puts_there(values):
    ranked = Ranked(values)
    assert [ranked[at] for at in range(len(values))] == sorted(values) == ranked[:]
    assert [ranked[at - len(values)] for at in range(len(values))] == sorted(values)
    assert in_order(ranked) is ranked


@given(VALUES, st.sampled_from([Fraction(1, 2), Fraction(95, 100)]))
def test_quantiles_of_them_are_those_of_the_list(values, q):
    assert quantile_type7(Ranked(values), q) == quantile_type7(values, q)
    assert quantile_interval(Ranked(values), q) == quantile_interval(values, q)
