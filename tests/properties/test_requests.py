"""Volatile places may differ and nothing else: whatever the request is."""

from __future__ import annotations

import copy
import json

from hypothesis import assume, given
from hypothesis import strategies as st

from denominator.wire.requests import RAW, differences, place_problem, request_form, without

KEYS = st.text(max_size=4) | st.sampled_from(["a", "b", "messages", "content", "0", "*"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
STEP = st.sampled_from(["a", "b", "messages", "content", "0", "1", "*"])
PLACES = st.lists(STEP, min_size=1, max_size=4).map(".".join)


def body(value: object) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


@given(VALUES, st.lists(PLACES, max_size=4), st.randoms())
def test_the_order_of_places_and_keys_is_none(value, places, random):
    turned = list(places)
    random.shuffle(turned)
    assert request_form(body(value), places) == request_form(body(_turned(value, random)), turned)


@given(VALUES, st.lists(PLACES, max_size=4))
def test_taking_out_twice_is_taking_out_once(value, places):
    once = request_form(body(value), places)
    assert request_form(once, places) == once


@given(VALUES, PLACES, VALUES)
def test_what_stands_at_a_volatile_place_is_no_difference(value, place, other):
    changed = _put(copy.deepcopy(value), tuple(place.split(".")), other)
    assert request_form(body(value), [place]) == request_form(body(changed), [place])


@given(VALUES, VALUES, st.lists(PLACES, max_size=2))
def test_forms_are_equal_exactly_when_what_is_left_is(left, right, places):
    for place in places:
        left, right = (without(one, tuple(place.split("."))) for one in (left, right))
    same = request_form(body(left)) == request_form(body(right))
    assert same == _same(left, right)
    assert same == (differences(request_form(body(left)), request_form(body(right))) == ())


@given(VALUES, VALUES)
def test_a_difference_tells_a_place_and_no_value(left, right):
    secret = "value-of-the-request"
    told = differences(request_form(body([left, secret])), request_form(body([right, secret + "x"])), most=50)
    assert told
    assert not any(secret in one for one in told)


@given(st.binary(max_size=40))
def test_bytes_that_are_no_document_are_compared_as_they_are(data):
    try:
        json.loads(data.decode())
    except ValueError:
        assert request_form(data, ["a"]) == RAW + data
    else:
        assert not request_form(data).startswith(b"r")


@given(PLACES)
def test_a_place_that_can_be_used_is_no_problem(place):
    assume(place.strip())
    assert place_problem(place) == ""


def test_what_is_no_place():
    assert all(place_problem(text) for text in ("", " ", "a..b", ".a", "a.", "$.a", "a. b"))


def test_numbers_are_compared_by_value_and_a_key_twice_by_bytes():
    assert request_form(b'{"t": 0.70, "n": 1}') == request_form(b'{"n":1.0,"t":0.7}')
    assert request_form(b'{"a":1,"a":1}') == RAW + b'{"a":1,"a":1}'


def test_places_are_named_as_people_read_them():
    here = request_form(b'{"messages":[{"content":"abX"},{"content":"c"}],"n":1,"only":2}')
    there = request_form(b'{"messages":[{"content":"abY"}],"n":2,"gone":[]}')
    assert differences(here, there, 9) == (
        "gone: only in the recording",
        "messages[0].content at character 3",
        "messages: 2 here, 1 in the recording",
        "n",
        "only: only here",
    )
    assert differences(RAW + b"abc", RAW + b"abd") == ("the body at byte 6",)


def test_elements_keep_their_number():
    assert request_form(b'{"m":[1,2]}', ["m.*"]) == b'{"m":[null,null]}'
    assert request_form(b'{"m":[1,2]}', ["m.*"]) != request_form(b'{"m":[1]}', ["m.*"])


def _turned(value, random):
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: _turned(value[key], random) for key in keys}
    return [_turned(one, random) for one in value] if isinstance(value, list) else value


def _put(value, steps, other):
    """Something else at every place that the steps name."""
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict):
        return {k: (_put(v, rest, other) if rest else other) if step in ("*", k) else v for k, v in value.items()}
    if isinstance(value, list):
        return [
            (_put(v, rest, other) if rest else other) if step in ("*", str(at)) else v for at, v in enumerate(value)
        ]
    return value


def _same(left, right):
    """Equal by value; true is no number."""
    if isinstance(left, bool) or isinstance(right, bool) or left is None or right is None:
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    return (type(left) in (int, float) and type(right) in (int, float) and left == right) or (
        type(left) is type(right) is str and left == right
    )
