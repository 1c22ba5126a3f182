"""Columns of numbers become wider where one does not fit, whatever width the numbers come in."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from denominator.ledger.table import extended, small

NUMBERS = st.lists(st.integers(-1, 2**40), max_size=4)
KINDS = st.sampled_from(["list", "i", "q"])


def column_of(kind, numbers):
    return numbers if kind == "list" else array(kind if all(one < 2**31 for one in numbers) else "q", numbers)


@given(st.lists(st.tuples(KINDS, NUMBERS), max_size=4))
def test_a_column_holds_every_number_that_was_added(parts):
    column = small()
    for kind, numbers in parts:
        column = extended(column, column_of(kind, numbers))
    assert list(column) == [one for _, numbers in parts for one in numbers]
