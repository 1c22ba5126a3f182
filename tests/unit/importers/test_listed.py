"""A JSON list, one element at a time, whatever the chunks and wherever it breaks off."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.importers.listed import elements
from foreign_data import source

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=80)
@given(st.lists(VALUES, max_size=6), st.sampled_from((None, 2)))
def test_elements_are_those_of_the_list(tmp_path_factory, values, indent):
    files = source(tmp_path_factory.mktemp("listed"), {"a.json": json.dumps(values, indent=indent)})
    found = list(elements(files, "a.json"))
    assert [one.value for one in found] == values
    assert [one.place for one in found] == list(range(len(values)))


@pytest.mark.parametrize("text", ["", "{}", "1", '"x"', "[1, 2", '[{"a": 1}, {"a"'])
def test_no_list_or_a_cut_one_is_refused(tmp_path, text):
    with pytest.raises(InputError):
        list(elements(source(tmp_path, {"a.json": text}), "a.json"))


def test_a_broken_element_is_told_and_the_next_one_read(tmp_path):
    found = list(elements(source(tmp_path, {"a.json": '[{"a": 1}, {"a": nope}, {"a": 3}]'}), "a.json"))
    assert [one.value for one in found] == [{"a": 1}, None, {"a": 3}]
    assert found[1].fault
