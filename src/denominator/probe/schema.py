"""A small strict checker for JSON values: a subset of JSON Schema (2020-12), and the shape of an expected value.

Every keyword that is known is checked and every other one is refused when a fixture is read (`schema_terms.py`), so that
nothing that was promised goes unchecked. Values are what strict reading gives: numbers are integers or `Decimal`, and
1.0 is an integer as in the standard; true is none. A pointer (RFC 6901) holds keys that the schema names: a key that only
the answer has stands as `*`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from denominator.records.probe_words import REASONS, Cls
from denominator.wire.byvalue import by_value

EXTRA, MISSING, TYPE, VALUE = "extra_key", "missing_key", "wrong_type", "value_not_allowed"
RANK = {reason: at for at, reason in enumerate(REASONS[Cls.SCHEMA_MISS])}
Found = tuple[str, str]
"""A reason of schema_miss and the pointer to where it shows."""
Place = tuple[str, ...]


def check(value: object, schema: object) -> tuple[Found, ...]:
    """Everything in which a value breaks a schema; by the order of reasons, then by place. Empty: it satisfies it."""
    found = {(reason, _pointer(place)) for reason, place in _broken(value, schema, ())}
    return tuple(sorted(found, key=lambda one: (RANK[one[0]], one[1])))


def shape_of(value: object) -> dict[str, Any]:
    """The schema of values that look like this one: the same keys and types at every place, whatever they hold."""
    kind = type_of(value)
    if isinstance(value, Mapping):
        shapes = {str(name): shape_of(each) for name, each in value.items()}
        return {"type": kind, "properties": shapes, "required": sorted(shapes), "additionalProperties": False}
    if isinstance(value, list | tuple):
        items = [shape_of(each) for each in value]
        same = bool(items) and all(one == items[0] for one in items)
        return {"type": kind, "items": items[0]} if same else {"type": kind}
    return {"type": kind}


def same_value(left: object, right: object) -> bool:
    """Are two JSON values equal? Numbers by value, keys in any order."""
    return by_value(left) == by_value(right)


def type_of(value: object) -> str:
    """The JSON type; a number is "number", whole or not."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float() | Decimal():
            return "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
        case _:
            return "object"


def is_type(value: object, name: object) -> bool:
    """Is it of this type of a schema? An integer is a number without a fraction."""
    if name == "integer":
        return type_of(value) == "number" and value == int(value)  # type: ignore[call-overload]
    return type_of(value) == name


Broken = Iterator[tuple[str, Place]]


def _broken(value: object, schema: object, place: Place) -> Broken:
    if schema is False:
        yield VALUE, place
    if not isinstance(schema, Mapping):
        return
    names = schema.get("type")
    if names is not None and not any(is_type(value, name) for name in (names if isinstance(names, list) else [names])):
        yield TYPE, place
        return
    yield from _given(value, schema, place)
    for kinds, rule in RULES:
        if isinstance(value, kinds) and not isinstance(value, bool):
            yield from rule(value, schema, place)


def _given(value: object, schema: Mapping[str, Any], place: Place) -> Broken:
    """`const`, `enum` and `anyOf`. A value of a type that none of the allowed ones has is of a wrong type."""
    for allowed in ([schema["const"]] if "const" in schema else None, schema.get("enum")):
        if allowed is not None and not any(same_value(value, one) for one in allowed):
            yield (VALUE if any(type_of(value) == type_of(one) for one in allowed) else TYPE), place
    if "anyOf" in schema:
        tried = [list(_broken(value, option, place)) for option in schema["anyOf"]]
        if all(tried):
            yield from min(tried, key=lambda found: ((TYPE, place) in found, len(found)))


def _number(value: Any, schema: Mapping[str, Any], place: Place) -> Broken:
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    beyond = (low is not None and value < low, high is not None and value > high)
    if any(beyond) or (above is not None and value <= above) or (below is not None and value >= below):
        yield VALUE, place


def _text(value: Any, schema: Mapping[str, Any], place: Place) -> Broken:
    """Lengths are of code points."""
    if not _within(len(value), schema, "Length"):
        yield VALUE, place


def _array(value: Any, schema: Mapping[str, Any], place: Place) -> Broken:
    if not _within(len(value), schema, "Items"):
        yield VALUE, place
    for at, each in enumerate(value):
        yield from _broken(each, schema.get("items", True), (*place, str(at)))


def _object(value: Any, schema: Mapping[str, Any], place: Place) -> Broken:
    known = schema.get("properties", {})
    yield from ((MISSING, (*place, name)) for name in schema.get("required", ()) if name not in value)
    for name, each in value.items():
        if name in known:
            yield from _broken(each, known[name], (*place, name))
        elif schema.get("additionalProperties", True) is False:
            yield EXTRA, (*place, "*")
        else:
            yield from _broken(each, schema.get("additionalProperties", True), (*place, "*"))


def _within(size: int, schema: Mapping[str, Any], what: str) -> bool:
    return bool(schema.get(f"min{what}", 0) <= size <= schema.get(f"max{what}", size))


def _pointer(place: Place) -> str:
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in place)


RULES: tuple[tuple[type | tuple[type, ...], Callable[[Any, Mapping[str, Any], Place], Broken]], ...] = (
    ((int, Decimal, float), _number),
    (str, _text),
    ((list, tuple), _array),
    (Mapping, _object),
)
