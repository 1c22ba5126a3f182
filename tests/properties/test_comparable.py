"""Values are compared by value, verdicts do not depend on which arm is called A, and nothing unknown is ever equal."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.compare.fields import FIELDS, blocks
from denominator.compare.matching import Asked, match
from denominator.records.values import NotMeasured
from denominator.wire.byvalue import by_value, number_text, same_by_value

PLAIN = st.recursive(
    st.none() | st.booleans() | st.text(max_size=5) | st.integers(-(10**20), 10**20) | st.decimals(allow_nan=False, allow_infinity=False, places=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(st.dictionaries(st.text(max_size=6), PLAIN, max_size=5), st.randoms())
def test_the_order_of_keys_is_no_value(table, random):
    keys = list(table)
    random.shuffle(keys)
    assert by_value(table) == by_value({key: table[key] for key in keys})


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_numbers_are_compared_by_value_and_kept_exactly(number):
    text = number_text(number)
    assert Decimal(text) == number
    sign, digits, exponent = number.as_tuple()
    shifted = Decimal((sign, (*digits, 0), exponent - 1))
    assert number_text(shifted) == text


@given(PLAIN, PLAIN)
def test_one_text_exactly_for_equal_values(left, right):
    same = by_value(left) == by_value(right)
    assert same == (_typed(left) == _typed(right))


def _typed(value):
    """A value with its type beside it: true is not 1, and 1 is 1.0."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return (type(value).__name__, value)
    if isinstance(value, list):
        return ("list", [_typed(one) for one in value])
    if isinstance(value, dict):
        return ("dict", {key: _typed(one) for key, one in value.items()})
    return ("number", Decimal(value))


@given(PLAIN)
def test_a_canonical_text_is_its_own_canonical_text(value):
    assert same_by_value(by_value(value)) == by_value(value)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("0", "0.0"),
        ("1e3", "1000"),
        ('{"a":1,"b":2}', '{"b":2.0,"a":1}'),
        ("-0.0", "0"),
        ("1e999999999", "10e999999998"),
    ],
)
def test_written_in_two_ways(text, same):
    assert same_by_value(text) == same_by_value(same)


@pytest.mark.parametrize("text", ["0", '"0"', "true", "null", "[]", "{}", '""', "1e-400", "not json", "[[["])
def test_other_types_are_other_values(text):
    others = {
        same_by_value(one) for one in ("1", '"1"', "false", '"null"', "[0]", '{"a":0}', '"a"', "0.5", "other", "[1]")
    }
    assert same_by_value(text) not in others


@pytest.mark.parametrize("value", [float("nan"), Decimal("Infinity"), object(), b"x"])
def test_no_json_value(value):
    with pytest.raises(ValueError):
        by_value(value)


NAMES = st.sampled_from([one.name for one in FIELDS] + ["foreign_a", "foreign_b"])
VALUES = st.sampled_from(['"x"', '"y"', "1", '"none"']) | st.just(NotMeasured("nobody knows"))
BLOCKING = {one.name for one in FIELDS if blocks(one, "rate")} | {"foreign_a", "foreign_b"}
SIDES = st.dictionaries(NAMES, VALUES, max_size=12)
ASKED = st.builds(
    Asked,
    number=st.sampled_from(["rate", "time", "durability", "spend"]),
    treatment=st.lists(NAMES, max_size=3, unique=True).map(tuple),
    equal_because=st.sampled_from(["", "one harness"]),
)


@given(SIDES, SIDES, ASKED)
def test_verdicts_are_symmetric(left, right, asked):
    there = {one.name: (one.verdict, one.blocks, one.a, one.b) for one in match(left, right, asked)}
    back = {one.name: (one.verdict, one.blocks, one.b, one.a) for one in match(right, left, asked)}
    assert there == back


@given(SIDES, SIDES, ASKED)
def test_every_stated_field_has_one_verdict_and_unknown_is_never_the_same(left, right, asked):
    found = match(left, right, asked)
    names = [one.name for one in found]
    assert len(names) == len(set(names)) and left.keys() | right.keys() <= set(names)
    for one in found:
        unknown = isinstance(one.a, NotMeasured) or isinstance(one.b, NotMeasured)
        if one.verdict == "same":
            assert not unknown and one.a == one.b and not one.blocks
        if one.verdict == "treatment":
            assert not unknown and one.a != one.b and not one.blocks
        if one.verdict in ("question", "subject", "conditions", "referee"):
            assert not unknown and one.a != one.b and one.blocks
        if unknown and one.blocks:
            assert one.verdict == "unknown" and not asked.equal_because


@given(SIDES, SIDES, ASKED)
def test_what_blocks_a_rate_blocks_everything(left, right, asked):
    def stops(number):
        given_ = Asked(number=number, treatment=asked.treatment, equal_because=asked.equal_because)
        return {one.name for one in match(left, right, given_) if one.blocks}

    assert stops("rate") <= stops("spend") <= stops("time") == stops("durability")


@given(st.dictionaries(NAMES, st.sampled_from(['"x"', "1"]), max_size=12), ASKED)
def test_an_arm_agrees_with_itself_but_for_what_nobody_states_and_all_need(stated, asked):
    needed = {one.name for one in FIELDS if one.core} | ({*asked.treatment} & BLOCKING)
    found = match(stated, stated, Asked(treatment=asked.treatment))
    assert {one.name for one in found if one.blocks} == needed - stated.keys()
