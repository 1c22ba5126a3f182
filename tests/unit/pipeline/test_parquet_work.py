"""What polars makes of whole columns is what the standard library makes of them."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from denominator.pipeline.parquet_arrays import array_of, series_of
from denominator.pipeline.parquet_work import Held, HeldInOrder, PolarsWork
from denominator.records.column_work import WORK, Numbers
from denominator.stats.ranked import Ranked

pl = pytest.importorskip("polars", reason="polars is not installed: pip install 'denominator[parquet]'")

WIDE = st.one_of(st.integers(-3, 9), st.integers(0, 10**15), st.integers(-(2**63), 2**63 - 1))
NUMBERS = st.one_of(st.lists(st.integers(-3, 9), max_size=40), st.lists(WIDE, max_size=40))
PARTS = st.lists(st.lists(st.integers(-3, 10**6), max_size=4), max_size=12)
HUGE = st.lists(st.lists(WIDE, min_size=1, max_size=4), max_size=6)


def forms(numbers):
    """A column in every form that it may have."""
    yield numbers
    if all(-(2**63) <= one < 2**63 for one in numbers):
        yield array("q", numbers)
        yield Held(pl.Series(numbers, dtype=pl.Int64))
    if all(-(2**31) <= one < 2**31 for one in numbers):
        yield array("i", numbers)
        yield Held(pl.Series(numbers, dtype=pl.Int32))
    if all(0 <= one < 256 for one in numbers):
        yield bytes(numbers)


def work():
    return PolarsWork(pl)


@given(NUMBERS, st.data())
def test_columns_are_picked_kept_and_added(numbers, data):
    flags = bytes(data.draw(st.lists(st.integers(0, 1), min_size=len(numbers), max_size=len(numbers))))
    places = data.draw(st.lists(st.integers(0, len(numbers) - 1), max_size=9)) if numbers else []
    other = data.draw(st.lists(WIDE, min_size=len(numbers), max_size=len(numbers)))
    for one in forms(numbers):
        assert list(work().kept(one, flags)) == list(WORK.kept(numbers, flags))
        assert work().total(one, flags) == WORK.total(numbers, flags)
        assert list(work().picked(one, array("I", places))) == list(WORK.picked(numbers, places))
        for two in forms(other):
            assert list(work().added(one, two)) == list(WORK.added(numbers, other))
        assert list(Numbers({"n": one}, array("i", places), work())["n"]) == list(WORK.picked(numbers, places))


@given(st.lists(WIDE, min_size=1, max_size=300), st.data())
@example([2**62, 1], None)
def test_every_code_has_its_number(numbers, data):
    codes = [0] if data is None else data.draw(st.lists(st.integers(0, len(numbers) - 1), max_size=40))
    table = bytes(abs(one) % 256 for one in numbers)
    for one in forms(codes):
        assert list(work().of_codes(numbers, one)) == list(WORK.of_codes(numbers, codes))
        assert work().bytes_of_codes(table, one) == WORK.bytes_of_codes(table, codes)
        assert list(work().how_often(one, len(numbers))) == WORK.how_often(codes, len(numbers))
        assert list(work().distinct(one)) == list(dict.fromkeys(codes))


@given(st.lists(st.integers(0, 3), min_size=1, max_size=9), st.data())
def test_every_code_stands_for_a_range(sizes, data):
    codes = data.draw(st.lists(st.integers(0, len(sizes) - 1), max_size=20))
    begins = [7 * at for at in range(len(sizes))]
    for one in forms(codes):
        assert list(work().ranges(begins, sizes, one)) == list(WORK.ranges(begins, sizes, codes))


@given(NUMBERS, WIDE, st.data())
def test_a_value_without_a_place_is_the_one_that_is_named(numbers, missing, data):
    places = data.draw(st.lists(st.integers(-1, len(numbers) - 1), max_size=9))
    for one in forms(numbers):
        if isinstance(one, list) or abs(missing) < 2**31 or getattr(one, "typecode", "q") == "q":
            assert list(work().picked_or(one, array("i", places), missing)) == [
                missing if at < 0 else numbers[at] for at in places
            ]


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=20))
def test_columns_become_arrays(numbers):
    for one in forms(numbers):
        narrow, wide = work().narrow(one), work().changeable(one)
        assert (narrow.typecode, narrow.tolist(), wide.typecode, wide.tolist()) == ("i", numbers, "q", numbers)


@given(NUMBERS, WIDE)
def test_questions_to_every_entry(numbers, number):
    for one in forms(numbers):
        assert work().equal(one, number) == WORK.equal(numbers, number)
        assert work().is_range(one) == WORK.is_range(numbers) == (list(numbers) == list(range(len(numbers))))
        assert list(work().run_ends(one)) == list(WORK.run_ends(numbers))


@given(st.integers(0, 9))
def test_a_range_is_one(many):
    assert work().is_range(array("i", range(many)))


@given(PARTS | HUGE)
@example([[2**63 - 1, 2**63 - 1]])
@example([[0], [2**61]])
@example([[-(2**62), 2**62 - 1], [5]])
def test_parts_are_added_up_and_have_their_middles(parts):
    sizes, numbers = list(map(len, parts)), [one for part in parts for one in part]
    ordered = [sorted(part) for part in parts if part]
    middles = sorted(one[(len(one) - 1) // 2] + one[len(one) // 2] for one in ordered)
    for one in forms(numbers):
        for of_parts in (array("I", sizes), bytes(sizes)):
            assert list(work().sums(one, of_parts)) == list(map(sum, parts))
            assert sorted(WORK.middles(one, of_parts)) == middles
            found = work().middles(one, of_parts)
            assert sorted(found) == middles == Ranked(found)[:]


def test_numbers_in_order_are_not_put_in_order_again():
    held = HeldInOrder(pl.Series([1, 5, 5, 9], dtype=pl.Int64))
    ranked = Ranked(held)
    assert [ranked[at] for at in (0, 1, 3, -1)] == [1, 5, 9, 9]
    with pytest.raises(IndexError):
        ranked[4]


@given(st.sampled_from("iqIB").flatmap(lambda code: st.tuples(st.just(code), st.lists(st.integers(0, 255)))))
def test_an_array_comes_back_from_its_column(drawn):
    code, numbers = drawn
    found = array_of(series_of(pl, array(code, numbers)))
    assert (found.typecode, found.tolist()) == (code, numbers)
    assert array_of(series_of(pl, bytes(numbers))).tobytes() == bytes(numbers)


def test_an_array_of_other_numbers_is_no_column():
    with pytest.raises(ValueError, match="is no column"):
        series_of(pl, array("d", (1.5,)))
