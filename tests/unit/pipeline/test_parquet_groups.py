"""Rows are of one group when every column that judging reads says the same of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.pipeline.parquet_groups import MOST, SPAN, Codes, _agree, _listed, _may_agree
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
            "tests/one.py::\u00e9",
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


def test_codes_that_would_not_fit_are_made_smaller():
    codes = Codes(pl)
    # Of x = 2**16 + 1 values a column, x**4 + 6 * x**2 + 1 and 4 * x**3 + 4 * x differ by (x - 1)**4 = 2**64.
    for column in zip((0,) * 5, (SPAN - 1,) * 5, (1, 0, 6, 0, 1), (0, 4, 0, 4, 0), strict=True):
        codes.add(pl.Series(column, dtype=pl.Int64))
    assert len(codes.firsts()) == 4


PAIRS = st.one_of(st.tuples(IDS, IDS), IDS.flatmap(lambda one: st.tuples(st.just(one), st.permutations(one))))
WRITTEN = st.sampled_from([canonical, lambda ids: json.dumps(ids, separators=(",", ":")).encode()])


@given(st.lists(st.tuples(PAIRS, WRITTEN), min_size=1, max_size=6))
def test_two_lists_agree_in_another_order_when_their_sets_do(drawn):
    pairs = [pair for pair, _ in drawn]
    texts = [[canonical(one).decode(), write(two).decode()] for (one, two), write in drawn]
    frame = pl.DataFrame(
        {name: [one[at] for one in texts] for at, name in enumerate(("tests.expected", "tests.passed"))}
    )
    may = frame.select(_may_agree(pl).alias("may"))["may"]
    found = _agree(pl, frame.lazy(), may).to_list()
    assert found == [
        bool(one and two and said != other and {*one} == {*two})
        for (one, two), (said, other) in zip(pairs, texts, strict=True)
    ]


def test_a_list_that_is_written_in_another_way_is_told_apart():
    frame = pl.DataFrame({"tests.other": ["[]", '["a"]', '["b"]', "[ ]", '[ "a"]', None]})
    assert frame.select(_listed(pl, "tests.other"))["literal"].to_list() == ["", "some", "some", "[ ]", '[ "a"]', None]
