"""Plain JSON or TOML values to records: every mistake of a document is found in one pass, each with its key."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from denominator.wire.leaves import any_json, plain, text, words
from denominator.wire.paths import Path
from denominator.wire.reading import BAD, Decoder, Reading, nearest, version_problem
from denominator.wire.shapes import (
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
from denominator.wire.texts import described
from denominator.wire.unions import claim, noun, ordered


@cache
def record_decoder(hint: Any) -> Decoder:
    """Reads one record: unknown keys, missing keys and wrong values are all reported."""
    cls = Nested(hint).cls
    plan: dict[str, tuple[Decoder, bool]] = {}
    versions = (1,)

    def decode(value: Any, path: Path, reading: Reading) -> Any:
        if value.__class__ is not dict:
            return reading.bad(path, f"expected {_noun(cls, reading)}, got {described(value)}")
        if "schema_version" in plan:
            problem = _version(value, versions, reading)
            if problem:
                return reading.bad((path, "schema_version"), problem, "use the program version that wrote it")
        found = _fields(value, plan, path, reading)
        return BAD if found is None else cls(**found)

    plan |= {each.name: (decoder(each.shape), each.required) for each in fields_of(hint)}
    return decode


def _noun(cls: type, reading: Reading) -> str:
    return f"a table ({cls.__name__})" if reading.toml else f"an object ({cls.__name__})"


def _version(value: dict[str, Any], versions: tuple[int, ...], reading: Reading) -> str | None:
    """Files that people write may leave the version out: that means 1. Files of ours always state it."""
    if "schema_version" not in value:
        return None if reading.toml else "is missing: a document without a version is not read"
    return version_problem(value["schema_version"], versions)


def _fields(
    value: dict[str, Any], plan: dict[str, tuple[Decoder, bool]], path: Path, reading: Reading
) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    sound = True
    seen = 0
    for name, (read, required) in plan.items():
        if name in value:
            seen += 1
            found[name] = read(value[name], (path, name), reading)
            sound = sound and found[name] is not BAD
        elif required:
            reading.bad((path, name), "is missing")
            sound = False
    if seen != len(value):
        _unknown(value, plan, path, reading)
        sound = False
    return found if sound else None


def _unknown(value: dict[str, Any], plan: Iterable[str], path: Path, reading: Reading) -> None:
    names = set(plan)
    for name in value:
        if name not in names:
            reading.bad((path, name), "unknown key", nearest(name, names - set(value)))


def decoder(shape: Shape) -> Decoder:
    """The reader for one shape."""
    match shape:
        case Scalar(type=kind, text=form):
            return text(form) if kind is str else plain(kind)
        case Words(enum=enum):
            return words(enum)
        case Anything():
            return any_json
        case ListOf(item=item):
            return _list(decoder(item))
        case Fixed(items=items):
            return _fixed(tuple(decoder(item) for item in items))
        case MapOf(item=item):
            return _map(decoder(item))
        case Nested(hint=hint):
            return lambda value, path, reading: record_decoder(hint)(value, path, reading)
        case OneOf(options=options):
            return _one_of(options)


def _list(item: Decoder) -> Decoder:
    def decode(value: Any, path: Path, reading: Reading) -> Any:
        if value.__class__ is not list:
            return reading.bad(path, f"expected a list, got {described(value)}")
        found = tuple([item(each, (path, index), reading) for index, each in enumerate(value)])
        return BAD if BAD in found else found

    return decode


def _fixed(items: tuple[Decoder, ...]) -> Decoder:
    def decode(value: Any, path: Path, reading: Reading) -> Any:
        if value.__class__ is not list or len(value) != len(items):
            return reading.bad(path, f"expected a list of {len(items)}, got {described(value)}")
        found = tuple([read(each, (path, i), reading) for i, (read, each) in enumerate(zip(items, value, strict=True))])
        return BAD if BAD in found else found

    return decode


def _map(item: Decoder) -> Decoder:
    def decode(value: Any, path: Path, reading: Reading) -> Any:
        if value.__class__ is not dict:
            return reading.bad(path, f"expected {'a table' if reading.toml else 'an object'}, got {described(value)}")
        found = {name: item(each, (path, name), reading) for name, each in value.items()}
        return BAD if BAD in found.values() else found

    return decode


def _one_of(options: tuple[Shape, ...]) -> Decoder:
    table = [(claim(option, options), decoder(option)) for option in ordered(options)]
    names = " or ".join(noun(option) for option in options)

    def decode(value: Any, path: Path, reading: Reading) -> Any:
        for claims, read in table:
            if claims(value, reading.toml):
                return read(value, path, reading)
        return reading.bad(path, f"expected {names}, got {described(value)}")

    return decode


def read_record(cls: type, data: Any, reading: Reading) -> Any:
    """Reads a whole document into `cls`; problems are left in `reading`."""
    return record_decoder(cls)(data, None, reading)
