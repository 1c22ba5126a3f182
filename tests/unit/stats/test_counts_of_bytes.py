"""Counts that come as bytes give the same answers as the same numbers in a list."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from denominator.stats import repeat_mean, rerun
from denominator.stats.repeats import by_number

COUNTS = st.lists(st.integers(0, 5), min_size=2, max_size=30)


@given(st.lists(st.integers(0, 255), max_size=30))
def test_bytes_are_counted_as_a_list_is(numbers: list[int]) -> None:
    assert by_number(bytes(numbers)) == by_number(numbers) == Counter(numbers)


@given(COUNTS)
def test_statistics_of_bytes_are_those_of_a_list(passes: list[int]) -> None:
    assert repeat_mean(bytes(passes), 5) == repeat_mean(passes, 5)
    assert rerun(bytes(passes), 5) == rerun(passes, 5)
