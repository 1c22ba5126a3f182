"""Columns give what a plain loop over the same entries gives."""

from __future__ import annotations

from array import array

from hypothesis import example, given
from hypothesis import strategies as st

from denominator.ledger.slots import Slots, of_rows, seated, stated_by_task
from denominator.ledger.table import extended
from denominator.records.coded import BYTE, Coded
from denominator.records.column_work import Numbers
from denominator.records.columns import both, places, sums_of
from denominator.records.names import Numbered, raw_of, text

CODES = st.integers(1, 3 * BYTE).flatmap(
    lambda many: st.tuples(
        st.lists(st.integers(0, many - 1), max_size=40),
        st.lists(st.integers(0, BYTE + 40), min_size=many, max_size=many),
        st.lists(st.lists(st.booleans(), min_size=many, max_size=many), min_size=1, max_size=12),
    )
)
ROWS = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(-2, 3)), max_size=12)
PLACES = st.lists(
    st.tuples(st.integers(-2, 3), st.sampled_from(["solvable", "floor"]), st.just(""), st.just("")), max_size=4
)
DECLARED = st.dictionaries(st.sampled_from("abcdef"), PLACES.map(lambda one: sorted(one, key=lambda place: place[0])))


@given(CODES)
def test_flags_answer_every_question_in_turn(drawn):
    codes, facts, questions = drawn
    coded = Coded(array("i", codes), facts)
    for answers in questions:
        assert list(coded.flags(answers)) == [answers[code] for code in codes]


@given(st.lists(st.tuples(st.booleans(), st.booleans())))
def test_both_is_the_smaller_of_two_flags(pairs):
    assert list(both(bytes(one for one, _ in pairs), bytes(two for _, two in pairs))) == [
        one & two for one, two in pairs
    ]


@given(st.lists(st.booleans(), max_size=40), st.integers(0, 99))
def test_places_are_those_of_the_flags_that_are_set(some, unset):
    flags = bytes(some) + bytes(unset)
    assert list(places(flags)) == [at for at, flag in enumerate(flags) if flag]


@given(st.lists(st.lists(st.integers(-(2**65), 2**65), max_size=4)))
def test_parts_are_added_up_in_order(parts):
    assert list(sums_of([one for part in parts for one in part], map(len, parts))) == list(map(sum, parts))


@given(
    st.lists(st.integers(0, 9), min_size=1).flatmap(
        lambda one: st.tuples(st.just(one), st.permutations(range(len(one))))
    )
)
@example(([5, 6], [0]))
def test_numbers_come_in_the_order_of_the_attempts(drawn):
    column, order = drawn
    numbers = Numbers({"wall_ms": array("i", column)}, array("I", order))
    for _ in range(2):
        assert list(numbers["wall_ms"]) == [column[at] for at in order]


def columns_of(rows):
    """Tasks by number as they come, and the columns of task and repeat."""
    tasks = Numbered()
    task = array("i", (tasks.number(raw_of(name)) for name, _ in rows))
    return tasks, task, array("i", (repeat for _, repeat in rows))


@given(DECLARED, ROWS)
def test_a_row_is_in_the_slot_of_its_draw(declared, rows):
    tasks, task, repeats = columns_of(rows)
    slots = Slots(stated_by_task((raw_of(name), found) for name, found in sorted(declared.items())), tasks)
    places = [(name, place) for name, found in sorted(declared.items()) for place in found]
    assert [(slots.names[at], repeat) for at, repeat in zip(slots.task, slots.repeat, strict=True)] == [
        (name, place[0]) for name, place in places
    ]
    assert [slots.said[code] for code in slots.code] == [place[1:] for _, place in places]
    first = {(name, place[0]): at for at, (name, place) in reversed([*enumerate(places)])}
    assert dict(slots.again()) == {
        at: first[name, place[0]] for at, (name, place) in enumerate(places) if first[name, place[0]] != at
    }
    put = slots.put(task, repeats)
    seats = seated(put, len(slots))
    one, several = seats.one, seats.several
    assert list(seats.away) == [at for at, row in enumerate(rows) if row not in first]
    for draw, at in first.items():
        of_draw = [number for number, row in enumerate(rows) if row == draw]
        assert several.get(at, []) == (of_draw if len(of_draw) > 1 else [])
        assert one[at] == (of_draw[0] if of_draw else -1)


@given(ROWS)
def test_rows_without_a_declaration_state_their_draws(rows):
    stated = [(text(name), [place[0] for place in places]) for name, places in of_rows(*columns_of(rows))]
    assert stated == [
        (name, sorted({repeat for task, repeat in rows if task == name})) for name in sorted({task for task, _ in rows})
    ]


@given(st.lists(st.integers(0, 3), max_size=20))
def test_sizes_and_values_may_be_columns_of_bytes_or_of_any_width(sizes):
    values = list(range(sum(sizes)))
    for column in (bytes(sizes), array("q", sizes), array("I", sizes)):
        assert list(sums_of(values, column)) == list(sums_of(values, sizes))
    assert list(extended(array("i", (7,)), bytes(sizes))) == [7, *sizes]
