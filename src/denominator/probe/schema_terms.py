"""Which JSON Schemas a fixture may hold: those that `schema.py` checks in full. Anything else is refused, never ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from denominator.wire.paths import Path
from denominator.wire.reading import nearest

TYPES = ("string", "number", "integer", "boolean", "null", "array", "object")
NOTES = ("title", "description", "default", "examples", "$schema", "$comment")
"""Keywords that promise nothing."""
Wrong = Iterator[tuple[Path, str, str]]
"""Where in the fixture's line, what is wrong, and how it is mended."""


def schema_problems(schema: object, path: Path) -> Wrong:
    """Everything for which a schema cannot be used; true and false are schemas too."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, Mapping):
        yield path, "is no schema: an object, true or false is expected", ""
        return
    for name, value in schema.items():
        if name in KEYWORDS:
            yield from KEYWORDS[name](value, (path, name))
        elif name not in NOTES:
            yield (path, name), "is a keyword that is not checked here", nearest(name, KEYWORDS) or CHECKED
    yield from _contradictions(schema, path)


def _contradictions(schema: Mapping[str, Any], path: Path) -> Wrong:
    """Bounds that nothing keeps, and required keys that are not allowed."""
    for low, high in (("minItems", "maxItems"), ("minLength", "maxLength"), ("minimum", "maximum")):
        if _whole(schema.get(low)) and _whole(schema.get(high)) and schema[low] > schema[high]:
            yield (path, low), f"is above {high}: no value keeps both", ""
    known, needed = schema.get("properties", {}), schema.get("required", [])
    if schema.get("additionalProperties") is False and isinstance(known, Mapping) and isinstance(needed, list):
        lacking = [name for name in needed if isinstance(name, str) and name not in known]
        if lacking:
            yield (path, "required"), "asks for a key that additionalProperties forbids", "add it to properties"


def _types(value: object, path: Path) -> Wrong:
    names = value if isinstance(value, list) and value else [value]
    for name in names:
        if name not in TYPES:
            yield path, "is no type of JSON", f"one of {', '.join(TYPES)}"


def _anything(_value: object, _path: Path) -> Wrong:
    yield from ()


def _values(value: object, path: Path) -> Wrong:
    if not isinstance(value, list) or not value:
        yield path, "expected a list of one or more values", ""


def _names(value: object, path: Path) -> Wrong:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value) or len({*value}) != len(value):
        yield path, "expected a list of different keys", ""


def _tables(value: object, path: Path) -> Wrong:
    if not isinstance(value, Mapping):
        yield path, "expected an object of schemas", ""
        return
    for name, schema in value.items():
        yield from schema_problems(schema, (path, name))


def _options(value: object, path: Path) -> Wrong:
    if not isinstance(value, list) or not value:
        yield path, "expected a list of one or more schemas", ""
        return
    for at, schema in enumerate(value):
        yield from schema_problems(schema, (path, at))


def _bound(value: object, path: Path) -> Wrong:
    if not _whole(value):
        yield path, "expected an integer", ""


def _size(value: object, path: Path) -> Wrong:
    if not _whole(value) or int(str(value)) < 0:
        yield path, "expected an integer of 0 or more", ""


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


KEYWORDS: Mapping[str, Callable[[Any, Path], Wrong]] = {
    "type": _types,
    "enum": _values,
    "const": _anything,
    "anyOf": _options,
    "properties": _tables,
    "required": _names,
    "additionalProperties": schema_problems,
    "items": schema_problems,
    "minItems": _size,
    "maxItems": _size,
    "minLength": _size,
    "maxLength": _size,
    "minimum": _bound,
    "maximum": _bound,
    "exclusiveMinimum": _bound,
    "exclusiveMaximum": _bound,
}
CHECKED = f"checked: {', '.join(sorted(KEYWORDS))}"
