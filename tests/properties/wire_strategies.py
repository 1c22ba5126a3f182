"""Hypothesis strategies for records, built from their type hints, and for JSON text with and without defects."""

from __future__ import annotations

import dataclasses
import importlib
import json
import pkgutil
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

import denominator.records
from denominator.records.envelopes import DateText, DecimalText
from denominator.records.events import Json
from denominator.records.rows import Source
from denominator.records.values import Known, NotMeasured
from denominator.records.words import Phase
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


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A record with every kind of field that the records of the product may have."""

    known: Known[int] | NotMeasured
    place: tuple[str, int]
    phase: Phase | None
    rate: DecimalText | NotMeasured
    day: DateText
    counts: Mapping[str, int] | NotMeasured
    names: Mapping[str, str] | NotMeasured
    pairs: tuple[tuple[str, bool], ...] | None
    anything: Json
    inner: Mapping[str, Source]
    flag: int | bool
    default: int = 3


TEXTS = st.sampled_from(["", "a", "é\n", "\U0001f600", '"\\', "\x00", "not_measured", "known", "1", "null", "x" * 40])
INTS = st.sampled_from([0, 1, -1, 7, 2**31, -(2**63), 2**64, 10**30])
DECIMALS = st.sampled_from(["0", "-1", "0.200000", "12345678901234567890.5"])
DATES = st.sampled_from(["", "2026-10-18", "2024-02-29"])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | INTS | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)


def record_classes() -> list[type]:
    """Every dataclass of the records package but the generic one, and the sample that holds it."""
    found = []
    for info in pkgutil.iter_modules(denominator.records.__path__):
        if info.name in PASSING:
            continue
        module = importlib.import_module(f"denominator.records.{info.name}")
        found += [
            each
            for each in vars(module).values()
            if isinstance(each, type) and dataclasses.is_dataclass(each) and each.__module__ == module.__name__
        ]
    return [*(cls for cls in found if cls is not Known and cls.__name__ not in NEVER_WRITTEN), Sample]


PASSING = ("foreign", "exports")
"""Modules of what passes from one part of the program to another."""
NEVER_WRITTEN = ("DrawTable", "DeclaredDraws", "Places", "Grouped", "Sheet", "Judged", "Side", "Exchange")
"""What only judging holds, in columns: none of it is a file."""


def records(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of a record type."""
    cls = Nested(hint).cls
    return st.builds(
        cls,
        **{
            field.name: st.just(1) if field.name == "schema_version" else values(field.shape)
            for field in fields_of(hint)
        },
    )


def values(shape: Shape) -> st.SearchStrategy[Any]:
    """Any value of a shape."""
    match shape:
        case Scalar(type=kind, text=form):
            texts = {"": TEXTS, "decimal": DECIMALS, "limit": st.just("") | DECIMALS, "date": DATES}[form]
            return {str: texts, int: INTS, bool: st.booleans(), type(None): st.none()}[kind]
        case Words(enum=enum):
            return st.sampled_from(list(enum))
        case Anything():
            return JSON_VALUES
        case ListOf(item=item):
            return st.lists(values(item), max_size=2).map(tuple)
        case Fixed(items=items):
            return st.tuples(*(values(item) for item in items))
        case MapOf(item=item):
            return st.dictionaries(TEXTS, values(item), max_size=2).filter(lambda found: not looks_unknown(found))
        case Nested(hint=hint):
            return st.builds(NotMeasured, TEXTS) if hint is NotMeasured else st.deferred(lambda: records(hint))
        case OneOf(options=options):
            return st.one_of([values(option) for option in options])


def looks_unknown(found: Mapping[str, Any]) -> bool:
    """Would the mapping be read back as an unknown value? The codec refuses to write such a one."""
    return len(found) == 1 and isinstance(found.get("not_measured"), str)


# --- JSON text, some of it defective

KEYS = st.sampled_from(["a", "b", "", "é", "key:1", "\U0001f600", '"', "\\"])


@dataclasses.dataclass(frozen=True)
class Pairs:
    """An object as written: keys may repeat."""

    items: tuple[tuple[str, Any], ...]


BARE_TOKENS = ("0", "-0", "12", "-7", str(10**25), "1.5", "-0.0", "1e5", "1E-3", "true", "false", "null")
TEXT_TOKENS = ('""', '"x"', '"\\u0061"', '"\\ud83d\\ude00"', '"é:"', '"\\\\"', '"\\":"', '"\\u003a"', '"\\/{["')
SCALAR_TOKENS = st.sampled_from((*BARE_TOKENS, *TEXT_TOKENS))

JSON_TREES = st.recursive(
    SCALAR_TOKENS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(st.tuples(KEYS, inner), max_size=3).map(lambda items: Pairs(tuple(items)))
    ),
    max_leaves=12,
)


def has_double_key(tree: Any) -> bool:
    """Is a key written twice in some object of the tree?"""
    if isinstance(tree, Pairs):
        names = [name for name, _ in tree.items]
        return len(set(names)) < len(names) or any(has_double_key(value) for _, value in tree.items)
    return isinstance(tree, list) and any(has_double_key(each) for each in tree)


def escaped_key(name: str, how: int) -> str:
    """A key as JSON text in one of several spellings."""
    if how == 0:
        return json.dumps(name, ensure_ascii=False)
    if how == 1:
        return json.dumps(name)
    units = name.encode("utf-16-be")
    return '"' + "".join(f"\\u{units[i]:02x}{units[i + 1]:02X}" for i in range(0, len(units), 2)) + '"'


@st.composite
def json_texts(draw: st.DrawFn) -> tuple[str, Any]:
    """JSON text (valid but for double keys) and the tree that it was written from."""
    tree = draw(JSON_TREES)

    def written(node: Any) -> str:
        space = draw(st.sampled_from(["", "", " ", "\n", "\t\r"]))
        if isinstance(node, Pairs):
            parts = [f"{escaped_key(k, draw(st.integers(0, 2)))}{space}:{written(v)}" for k, v in node.items]
            return "{" + space + ",".join(parts) + "}"
        if isinstance(node, list):
            return "[" + f"{space},".join(written(each) for each in node) + "]" + space
        return str(node)

    return written(tree), tree


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Bytes of JSON text with a few small defects."""
    data = bytearray(draw(json_texts())[0].encode())
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        piece = draw(PIECES)
        cut = draw(st.integers(0, 2))
        data[at : at + cut] = piece
    return bytes(data)


BYTES = (
    b"",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc3",
    b"\xef\xbb\xbf",
    b"\x00",
    b"\x0c",
    b"\x85",
    b"\xc2\xa0",
    b"\x1f",
    b"\x7f",
)
MARKS = (
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b'"',
    b"\\",
    b" ",
    b"\n",
    b"//",
    b'"a":1,"a":2',
    b"\xd9\xa1",
    b"'a'",
    b"tru",
)
ESCAPES = (b"\\ud800", b"\\udc00", b"\\uD83D\\u0041", b"\\x", b"\\u00g")
NUMBERS = (b"NaN", b"-Infinity", b"1e999", b"1e-999", b"0e999", b"01", b"-", b"1.", b".5", b"+1", b"0x1", b"9" * 4400)
PIECES = st.sampled_from((*BYTES, *MARKS, *ESCAPES, *NUMBERS))
