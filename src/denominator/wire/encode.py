"""Records to plain JSON values. A value that does not fit its field is a bug of ours and is never written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from operator import attrgetter
from typing import Any, cast

from denominator.errors import InternalError
from denominator.records.events import Json
from denominator.records.values import NotMeasured
from denominator.wire.paths import Path, dotted, steps
from denominator.wire.shapes import (
    JSON_DEPTH_MAX,
    Anything,
    Fixed,
    ListOf,
    MapOf,
    Nested,
    OneOf,
    Scalar,
    Shape,
    Words,
    fields_of,
)
from denominator.wire.texts import fits_text

Encoder = Callable[[Any, Path], Json]


def refuse(path: Path, what: str) -> InternalError:
    """The error for a value that may not be written."""
    return InternalError(what, where=dotted(steps(path)), fix="report this: a record holds a value of a wrong type")


@cache
def record_encoder(hint: Any) -> Encoder:
    """Writes every field of a record, defaults included, so that a digest never depends on what was left out."""
    cls = Nested(hint).cls
    plan: list[tuple[str, Callable[[Any], Any], Encoder]] = []

    def encode(value: Any, path: Path) -> Json:
        if value.__class__ is not cls:
            raise refuse(path, f"expected a {cls.__name__}, got {value!r:.60}")
        return {name: write(get(value), (path, name)) for name, get, write in plan}

    plan += [(field.name, attrgetter(field.name), encoder(field.shape)) for field in fields_of(hint)]
    return encode


def encoder(shape: Shape) -> Encoder:
    """The writer for one shape."""
    match shape:
        case Scalar(type=kind, text=text):
            return _text(text) if kind is str else _plain(kind)
        case Words(enum=enum):
            return _instance(enum, lambda value, _path: str(value))
        case Anything():
            return lambda value, path: any_json(value, path, JSON_DEPTH_MAX)
        case ListOf(item=item):
            return _list(encoder(item))
        case Fixed(items=items):
            return _fixed(tuple(encoder(item) for item in items))
        case MapOf(item=item):
            return _map(encoder(item))
        case Nested(hint=hint):
            return lambda value, path: record_encoder(hint)(value, path)
        case OneOf(options=options):
            return _one_of(options)


def _plain(kind: type) -> Encoder:
    def encode(value: Any, path: Path) -> Json:
        if value.__class__ is kind:
            return cast(Json, value)
        if kind is int and isinstance(value, int) and not isinstance(value, bool):
            return int(value)
        raise refuse(path, f"expected {kind.__name__}, got {value!r:.60}")

    return encode


def _text(kind: str) -> Encoder:
    def encode(value: Any, path: Path) -> Json:
        if not isinstance(value, str):
            raise refuse(path, f"expected text, got {value!r:.60}")
        if kind and not fits_text(kind, value):
            raise refuse(path, f"expected a {kind}, got {value!r:.60}")
        return value if value.__class__ is str else str.__str__(value)

    return encode


def _instance(cls: type, write: Encoder) -> Encoder:
    def encode(value: Any, path: Path) -> Json:
        if not isinstance(value, cls):
            raise refuse(path, f"expected a {cls.__name__}, got {value!r:.60}")
        return write(value, path)

    return encode


def _list(item: Encoder) -> Encoder:
    def encode(value: Any, path: Path) -> Json:
        return [item(each, (path, index)) for index, each in enumerate(value)]

    return _instance(tuple, encode)


def _fixed(items: tuple[Encoder, ...]) -> Encoder:
    def encode(value: Any, path: Path) -> Json:
        if len(value) != len(items):
            raise refuse(path, f"expected {len(items)} values, got {len(value)}")
        return [item(each, (path, index)) for index, (item, each) in enumerate(zip(items, value, strict=True))]

    return _instance(tuple, encode)


def _map(item: Encoder) -> Encoder:
    key = _text("")

    def encode(value: Any, path: Path) -> Json:
        return {str(key(name, path)): item(each, (path, name)) for name, each in value.items()}

    return _instance(Mapping, encode)


def _one_of(options: tuple[Shape, ...]) -> Encoder:
    table = [(_python_type(option), encoder(option)) for option in options]
    has_unknown = any(kind is NotMeasured for kind, _ in table)

    def encode(value: Any, path: Path) -> Json:
        for kind, write in table:
            if isinstance(value, kind) and (kind is not int or not isinstance(value, bool)):
                written = write(value, path)
                if has_unknown and kind is Mapping and _looks_unknown(written):
                    raise refuse(path, "a mapping that would be read back as an unknown value")
                return written
        raise refuse(path, f"expected one of {len(table)} types, got {value!r:.60}")

    return encode


def _looks_unknown(written: Json) -> bool:
    return isinstance(written, dict) and len(written) == 1 and isinstance(written.get("not_measured"), str)


def _python_type(shape: Shape) -> type:
    match shape:
        case Scalar(type=kind):
            return kind
        case Words(enum=enum):
            return enum
        case ListOf() | Fixed():
            return tuple
        case MapOf():
            return Mapping
        case Nested():
            return shape.cls
        case _:
            return object


def no_json(value: Any, path: Path) -> Json:
    """The end of every value that is no JSON value of ours."""
    if isinstance(value, float | Decimal):
        raise refuse(path, f"a number that is no integer ({value!r}) is written as decimal text")
    raise refuse(path, f"{type(value).__name__} is no JSON value")


def any_json(value: Any, path: Path, depth: int, other: Encoder = no_json) -> Json:
    """A plain copy of a JSON value, at most `depth` containers deep; `other` writes what is no JSON value."""
    if value is None or value.__class__ in (str, int, bool):
        return cast(Json, value)
    if isinstance(value, Mapping | list | tuple) and depth == 0:
        raise refuse(path, "nested too deeply to be read again")
    if isinstance(value, Mapping):
        return {_key(name, path): any_json(each, (path, name), depth - 1, other) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [any_json(each, (path, index), depth - 1, other) for index, each in enumerate(value)]
    if isinstance(value, str):
        return str.__str__(value)
    return int(value) if isinstance(value, int) else other(value, path)


def _key(name: Any, path: Path) -> str:
    if not isinstance(name, str):
        raise refuse(path, f"the key {name!r} is no text")
    return str.__str__(name)
