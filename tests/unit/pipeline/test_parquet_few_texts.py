"""Columns of a few texts are told apart by comparing; what the first rows do not show is told apart all the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.pipeline.parquet_groups import FEW, LOOK, Codes

pl: Any = pytest.importorskip("polars")
WORDS = st.sampled_from([None, "", "a", "b", "c", "d", "e", "f"])


def groups(column: list[str | None]) -> list[int]:
    """The code of every value, as the first place at which it stands."""
    codes = Codes(pl)
    codes.add(pl.Series(column, dtype=pl.String))
    found = codes.code.to_list()
    return [found.index(one) for one in found]


@given(st.lists(WORDS, min_size=1, max_size=40))
def test_two_rows_have_one_code_exactly_when_they_say_the_same(column: list[str | None]) -> None:
    assert groups(column) == [column.index(one) for one in column]


@pytest.mark.parametrize("many", range(1, FEW + 2))
def test_texts_that_only_later_rows_hold_have_codes_of_their_own(many: int) -> None:
    first = [str(at % many) for at in range(LOOK)]
    column = [*first, "another", None, "0", "one more", "another", None]
    assert groups(column) == [column.index(one) for one in column]
