"""Rows are of one group when every column that judging reads says the same of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.pipeline.parquet_groups import MOST, Codes, _agree, _listed, _may_agree
from denominator.wire.canonical import canonical

pl = pytest.importorskip("polars", reason="polars is not installed: pip install 'denominator[parquet]'")

IDS = st.lists(
    st.sampled_from(
        [
            "a",
            "b",
            'c"',
            "d\\",
            "\u00e9",
            "\n",
            "b]",
            '"]',
            "a,b",
            "tests/one.py::a",
            "tests/one.py::b",
            "12345678",
            "1234567",
        ]
    ),
    max_size=4,
)


def columns(rows):
    kinds = st.sampled_from([pl.Int64, pl.Boolean, pl.String])
    values = {
        pl.Int64: [0, 1, 2**40, -(2**63), 2**63 - 1, None],
        pl.Boolean: [True, False, None],
        pl.String: ["", "a", "b", None],
    }
    one = kinds.flatmap(
        lambda kind: st.tuples(st.just(kind), st.lists(st.sampled_from(values[kind]), min_size=rows, max_size=rows))
    )
    return st.lists(one, min_size=1, max_size=6)


@given(st.integers(1, 8).flatmap(columns), st.sampled_from([1, MOST // 2]))
def test_two_rows_have_one_code_when_all_columns_agree(drawn, many):
    codes = Codes(pl)
    for kind, values in drawn:
        codes.add(pl.Series(values, dtype=kind))
        codes._many = max(codes._many, many)
    rows = list(zip(*(values for _, values in drawn), strict=True))
    found = codes.code.to_list()
    for one in range(len(rows)):
        for other in range(len(rows)):
            assert (found[one] == found[other]) == (rows[one] == rows[other])
    assert codes.firsts() == {code: found.index(code) for code in dict.fromkeys(found)}


@given(st.lists(st.tuples(IDS, IDS), min_size=1, max_size=6))
def test_two_lists_agree_in_another_order_when_their_sets_do(pairs):
    texts = [[canonical(one).decode() for one in pair] for pair in pairs]
    frame = pl.DataFrame(
        {name: [one[at] for one in texts] for at, name in enumerate(("tests.expected", "tests.passed"))}
    )
    may = frame.select(_may_agree(pl).alias("may"))["may"]
    found = _agree(pl, frame.lazy(), may).to_list()
    assert found == [bool(one and two and one != two and {*one} == {*two}) for one, two in pairs]


def test_a_list_that_is_written_in_another_way_is_told_apart():
    frame = pl.DataFrame({"tests.other": ["[]", '["a"]', '["b"]', "[ ]", '[ "a"]', None]})
    assert frame.select(_listed(pl, "tests.other"))["literal"].to_list() == ["", "some", "some", "[ ]", '[ "a"]', None]
