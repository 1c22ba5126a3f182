"""A column of polars is an array with the same numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.pipeline.parquet_arrays import array_of

pl = pytest.importorskip("polars", reason="polars is not installed: pip install 'denominator[parquet]'")

SMALL, LARGE = st.integers(-(2**31), 2**31 - 1), st.integers(-(2**63), 2**63 - 1)


@given(
    st.one_of(
        st.tuples(st.just("i"), st.lists(SMALL, max_size=200)), st.tuples(st.just("q"), st.lists(LARGE, max_size=200))
    ),
    st.data(),
)
def test_numbers_and_width_are_those_of_the_column(drawn, data):
    code, numbers = drawn
    column = pl.Series(numbers, dtype=pl.Int32 if code == "i" else pl.Int64)
    begin = data.draw(st.integers(0, len(numbers)))
    for one, wanted in (
        (column, numbers),
        (column.slice(begin), numbers[begin:]),
        (pl.concat([column.slice(begin), column.head(begin)], rechunk=False), numbers[begin:] + numbers[:begin]),
    ):
        found = array_of(one)
        assert (found.typecode, found.tolist()) == (code, wanted)


@pytest.mark.parametrize("column", [pl.Series([1, None], dtype=pl.Int32), pl.Series([1.5]), pl.Series(["a"])])
def test_another_column_is_refused(column):
    with pytest.raises(ValueError, match="is no array"):
        array_of(column)
