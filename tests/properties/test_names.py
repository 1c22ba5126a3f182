"""Names that are held as bytes are found as in a dict of them, in the order in which they came."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from denominator.records.names import NONE, Names, Numbered, raw_of, raws_of, text

NAME = st.one_of(
    st.sampled_from(["", "a", "aa", "ab", "b", "\u00e9", "\ud800", "\U0001f600", "\uffff"]), st.text(max_size=3)
)
NAMES = st.lists(NAME, max_size=60)


@given(NAMES, NAMES)
def test_names_have_the_numbers_that_they_have_in_a_dict(given_names, others):
    known: dict[str, int] = {}
    names = Numbered()
    for name in given_names:
        assert names.number(raw_of(name)) == known.setdefault(name, len(known))
    assert (list(names), len(names)) == (list(known), len(known))
    assert list(names.found(Names(map(raw_of, others)))) == [known.get(name, NONE) for name in others]
    assert list(names.found(names)) == list(range(len(known)))


@given(st.lists(NAME, unique=True, max_size=60), NAMES)
def test_names_that_were_added_are_found_too(given_names, more):
    names = Numbered(map(raw_of, given_names))
    known = {name: at for at, name in enumerate(given_names)}
    for name in more:
        assert names.number(raw_of(name)) == known.setdefault(name, len(known))
    assert [text(raw) for raw in names.raws()] == list(known)


@given(NAMES)
def test_names_become_bytes_together_as_one_by_one(given_names):
    assert list(raws_of(given_names)) == list(map(raw_of, given_names))


@given(NAMES)
def test_names_are_a_sequence_whose_order_is_that_of_texts(given_names):
    names = Names(map(raw_of, given_names))
    assert [names[at] for at in names.order()] == sorted(given_names)
    assert names[1:] == tuple(given_names[1:])
    assert [names[at - len(names)] for at in range(len(names))] == given_names
    again = pickle.loads(pickle.dumps(names))
    assert again.same(names)
    assert not again.same(Names([*names.raws(), b"x"]))


def test_places_of_names_become_wider_when_they_must(monkeypatch):
    monkeypatch.setattr("denominator.records.names.MOST_NARROW", 9)
    names = Numbered([b"one", b"two"])
    assert [names.number(one) for one in (b"three", b"four", b"two", b"four")] == [2, 3, 1, 3]
    assert list(names) == ["one", "two", "three", "four"]
    assert list(Names([b"0123456789", b"x"])) == ["0123456789", "x"]


def test_a_thousand_names_fill_several_tables():
    names = Numbered()
    for again in range(2):
        assert [names.number(b"task-%d" % at) for at in range(1000)] == list(range(1000)), again
    assert names.find(b"task-1000") == NONE
