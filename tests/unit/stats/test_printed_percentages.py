"""A printed percentage as a count out of n: which counts, which denominators, rounded or cut."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.stats import any_count, cut_counts, possible_counts, possible_denominators, prints_as

PERCENTS = st.builds(lambda number, digits: f"{number:.{digits}f}", st.floats(0, 100), st.integers(0, 3))


@given(PERCENTS, st.integers(0, 40), st.integers(1, 300))
def test_denominators_are_those_over_which_the_count_is_possible(percent, k, most):
    found = possible_denominators(k, percent, most)
    assert list(found) == [n for n in range(max(k, 1), most + 1) if k in possible_counts(percent, n)]


@given(PERCENTS, st.integers(1, 300))
def test_cut_counts_print_so_without_their_further_digits(percent, n):
    digits = len(percent.partition(".")[2])
    shown = [
        k for k in range(n + 1) if Fraction(int(Fraction(100 * k, n) * 10**digits), 10**digits) == Fraction(percent)
    ]
    assert list(cut_counts(percent, n)) == shown


@given(st.integers(1, 500), st.integers(1, 500), st.integers(0, 3))
def test_what_is_printed_of_a_count_is_possible(k, n, digits):
    k = min(k, n)
    printed = f"{Fraction(100 * k, n).limit_denominator(10**9).__float__():.{digits}f}"
    assert k in possible_counts(printed, n)
    assert n in possible_denominators(k, printed, 600)


@pytest.mark.parametrize(
    ("k", "percent", "over"),
    [(319, "43.72", []), (240, "42.70", [562]), (265, "36.30", [730]), (118, "16.20", []), (202, "27.67", [730])],
)
def test_published_percents_of_known_counts(k, percent, over):
    assert list(possible_denominators(k, percent, 5000)) == over


def test_a_percentage_that_is_only_cut():
    assert possible_counts("61.7", 225) == possible_counts("61.7", 224) == ()
    assert cut_counts("61.7", 225) == (139,)
    assert cut_counts("61.7", 0) == possible_counts("61.7", 0) == ()


@given(st.integers(1, 400), st.fractions(-1, 1), st.fractions(0, 1))
def test_whether_a_count_lies_between_two_shares(n, low, width):
    slow = any(low < Fraction(k, n) < low + width for k in range(n + 1))
    assert any_count(low, low + width, n) is slow


def test_a_share_prints_as_a_percentage():
    assert prints_as("53.3", Fraction(8, 15))
    assert not prints_as("53.4", Fraction(8, 15))
