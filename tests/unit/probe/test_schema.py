"""The schema checker: reasons and pointers, and the same verdict as a full implementation of the standard."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from denominator.probe.schema import check, same_value, shape_of
from denominator.probe.schema_terms import KEYWORDS, schema_problems
from denominator.wire.strict import loads

BOOK = {
    "type": "object",
    "properties": {
        "ok": {"type": "boolean"},
        "count": {"type": "integer", "const": 2},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 2},
        "a/b": {"anyOf": [{"type": "null"}, {"type": "string", "minLength": 2}]},
    },
    "required": ["ok", "count"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"ok":true,"count":2}', []),
        ('{"ok":true,"count":2.0}', []),
        ('{"ok":true,"count":2,"tags":["a","b"],"a/b":null}', []),
        ('{"ok":true,"count":2,"why":"two"}', [("extra_key", "/*")]),
        ('{"count":2}', [("missing_key", "/ok")]),
        ('{"ok":true,"count":"2"}', [("wrong_type", "/count")]),
        ('{"ok":1,"count":2}', [("wrong_type", "/ok")]),
        ('{"ok":true,"count":true}', [("wrong_type", "/count")]),
        ('{"ok":true,"count":3}', [("value_not_allowed", "/count")]),
        ('{"ok":true,"count":2.5}', [("wrong_type", "/count")]),
        ('{"ok":true,"count":2,"tags":["c"]}', [("value_not_allowed", "/tags/0")]),
        ('{"ok":true,"count":2,"tags":[7]}', [("wrong_type", "/tags/0")]),
        ('{"ok":true,"count":2,"tags":["a","a","a"]}', [("value_not_allowed", "/tags")]),
        ('{"ok":true,"count":2,"a/b":"x"}', [("value_not_allowed", "/a~1b")]),
        ('{"ok":true,"count":2,"a/b":5}', [("wrong_type", "/a~1b")]),
        ("[]", [("wrong_type", "")]),
        ('{"why":1,"count":"x"}', [("extra_key", "/*"), ("missing_key", "/ok"), ("wrong_type", "/count")]),
    ],
)
def test_reasons_and_pointers(text: str, found: list[tuple[str, str]]) -> None:
    """Every fault of a value with its place, in the order of the reasons; a key that only the answer has stays out."""
    assert list(check(loads(text, floats="decimal"), BOOK)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"ok":true,"list":[1,2],"in":{"n":null}}', []),
        ('{"ok":false,"list":[1,2,3.5],"in":{"n":null}}', []),
        ('{"ok":true,"list":[1,"2"],"in":{"n":null}}', [("wrong_type", "/list/1")]),
        ('{"ok":true,"list":[],"in":{"n":0,"m":1}}', [("extra_key", "/in/*"), ("wrong_type", "/in/n")]),
        ('{"list":{},"in":{}}', [("missing_key", "/in/n"), ("missing_key", "/ok"), ("wrong_type", "/list")]),
    ],
)
def test_the_shape_of_an_expected_value(text: str, found: list[tuple[str, str]]) -> None:
    """Keys and types of an expected value; what it holds is another question."""
    shape = shape_of({"ok": True, "list": [1, 2], "in": {"n": None}})
    assert list(check(loads(text, floats="decimal"), shape)) == found


def test_values_are_equal_by_value() -> None:
    """Numbers by value, keys in any order; true is no 1."""
    assert same_value({"a": 1, "b": [Decimal("2.0")]}, {"b": [2], "a": Decimal("1")})
    assert not same_value(True, 1)
    assert not same_value("1", 1)
    assert not same_value([1, 2], [2, 1])


@pytest.mark.parametrize(
    ("schema", "where"),
    [
        ({"type": "text"}, "type"),
        ({"type": []}, "type"),
        ({"enum": []}, "enum"),
        ({"anyOf": []}, "anyOf"),
        ({"anyOf": [{"type": "x"}]}, "type"),
        ({"pattern": "^a$"}, "pattern"),
        ({"oneOf": [True]}, "oneOf"),
        ({"$ref": "#"}, "$ref"),
        ({"format": "date"}, "format"),
        ({"items": [{"type": "string"}]}, "items"),
        ({"items": {"multipleOf": 2}}, "multipleOf"),
        ({"properties": {"a": 1}}, "a"),
        ({"properties": []}, "properties"),
        ({"required": ["a", "a"]}, "required"),
        ({"required": "a"}, "required"),
        ({"required": [1]}, "required"),
        ({"required": ["a"], "additionalProperties": False}, "required"),
        ({"minItems": -1}, "minItems"),
        ({"minLength": True}, "minLength"),
        ({"minimum": "1"}, "minimum"),
        ({"exclusiveMinimum": True}, "exclusiveMinimum"),
        ({"minLength": 3, "maxLength": 2}, "minLength"),
        ([], None),
        ("string", None),
    ],
)
def test_what_cannot_be_checked_is_refused(schema: Any, where: str | None) -> None:
    """Each with the place of the keyword."""
    found = list(schema_problems(schema, None))
    assert found
    assert (found[0][0] is None) if where is None else (found[0][0] is not None and found[0][0][1] == where)


def test_notes_promise_nothing() -> None:
    """Keywords that only describe pass."""
    notes = {"title": "t", "description": "d", "default": 1, "examples": [], "$comment": "c"}
    assert list(schema_problems({"type": "integer", **notes}, None)) == []


NAMES = st.sampled_from(["a", "b", "c/d", "~"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([Decimal("1.0"), Decimal("0.5"), Decimal("-2.50")]),
    st.sampled_from(["", "a", "ab", "1", "é", "👩‍💻"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
WHOLE = st.integers(-2, 3)
SIZES = st.integers(0, 3)
TYPE = st.sampled_from(["string", "number", "integer", "boolean", "null", "array", "object"])


def schemas() -> st.SearchStrategy[Any]:
    """Schemas of the subset, every keyword of it among them."""

    def extend(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.fixed_dictionaries(
            {},
            optional={
                "type": TYPE | st.lists(TYPE, min_size=1, max_size=2, unique=True),
                "enum": st.lists(VALUES, min_size=1, max_size=3),
                "const": VALUES,
                "anyOf": st.lists(inner, min_size=1, max_size=2),
                "properties": st.dictionaries(NAMES, inner, max_size=3),
                "required": st.lists(NAMES, unique=True, max_size=2),
                "additionalProperties": inner,
                "items": inner,
                **dict.fromkeys(("minItems", "maxItems", "minLength", "maxLength"), SIZES),
                **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), WHOLE),
            },
        )

    return st.recursive(st.booleans() | st.builds(lambda name: {"type": name}, TYPE), extend, max_leaves=5)


def as_plain(value: Any) -> Any:
    """Decimals as the floats that the oracle reads; those used here are exact."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list):
        return [as_plain(one) for one in value]
    return {name: as_plain(one) for name, one in value.items()} if isinstance(value, dict) else value


@settings(max_examples=400, deadline=None)
@given(VALUES, schemas())
def test_the_verdict_is_that_of_a_full_checker(value: Any, schema: Any) -> None:
    """A value satisfies a schema here exactly when it does by the standard."""
    assert (not check(value, schema)) == Draft202012Validator(as_plain(schema)).is_valid(as_plain(value))


@settings(max_examples=200, deadline=None)
@given(VALUES, VALUES)
def test_a_value_has_its_own_shape(value: Any, other: Any) -> None:
    """A shape is a schema of the subset that its value satisfies; values of other types and keys do not."""
    shape = shape_of(value)
    assert list(schema_problems(shape, None)) == []
    assert check(value, shape) == ()
    assert (not check(other, shape)) == Draft202012Validator(as_plain(shape)).is_valid(as_plain(other))


def test_every_keyword_is_drawn() -> None:
    """The oracle test draws each keyword that fixtures may hold."""
    drawn = {"type", "enum", "const", "anyOf", "properties", "required", "additionalProperties", "items"}
    drawn |= {"minItems", "maxItems", "minLength", "maxLength"}
    assert drawn | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} == set(KEYWORDS)
