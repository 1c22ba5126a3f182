"""Readers of single values: text, numbers, words, and JSON that is kept as it is."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from denominator.wire.paths import Path
from denominator.wire.reading import BAD, Decoder, Reading, nearest
from denominator.wire.shapes import JSON_DEPTH_MAX
from denominator.wire.texts import NUMBERS, DecimalNumber, described, fits_text

NOUNS = {str: "text", int: "an integer", bool: "true or false", type(None): "null"}


def plain(kind: type) -> Decoder:
    noun = NOUNS[kind]

    def decode(value: Any, path: Path, reading: Reading) -> Any:
        if value.__class__ is kind:
            return value
        return reading.bad(path, f"expected {noun}, got {described(value)}")

    return decode


def text(kind: str) -> Decoder:
    noun = {"": "text", **dict.fromkeys(NUMBERS, "a decimal number as text"), "date": "a date (2026-10-18)"}[kind]

    def decode(value: Any, path: Path, reading: Reading) -> Any:
        text = _toml_text(value, kind) if reading.toml else value
        if text.__class__ is not str or (kind and not fits_text(kind, text)):
            fix = "put it in quotes" if reading.toml and isinstance(value, int | DecimalNumber) and not kind else ""
            return reading.bad(path, f"expected {noun}, got {described(value)}", fix)
        return text

    return decode


def _toml_text(value: Any, kind: str) -> Any:
    """What people write for a text field: dates become ISO text, numbers become text where a decimal is asked for."""
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if kind in NUMBERS and value.__class__ is int:
        return str(value)
    if kind in NUMBERS and value.__class__ is DecimalNumber:
        return _fixed_point(value)
    return value


def _fixed_point(value: str) -> str:
    """1_000.5, +0.5 and 1e-3 as plain digits; inf, nan and absurd exponents stay as they are and fit nothing."""
    number = Decimal(value.replace("_", ""))
    if not number.is_finite() or abs(number.adjusted()) > 400:
        return str(value)
    return f"{number:f}"


def words(enum: Any) -> Decoder:
    table = {str(word): word for word in enum}

    def decode(value: Any, path: Path, reading: Reading) -> Any:
        if value.__class__ is str and value in table:
            return table[value]
        return reading.bad(path, f"unknown word: {described(value)}", nearest(str(value), table))

    return decode


def any_json(value: Any, path: Path, reading: Reading, depth: int = JSON_DEPTH_MAX) -> Any:
    """Any JSON value; numbers with a fraction are refused, because nothing of ours holds one."""
    if value is None or value.__class__ in (str, int, bool):
        return value
    if depth == 0:
        return reading.bad(path, f"nested more than {JSON_DEPTH_MAX} deep")
    if value.__class__ is list:
        items = [any_json(each, (path, index), reading, depth - 1) for index, each in enumerate(value)]
        return BAD if BAD in items else items
    if value.__class__ is dict:
        found = {name: any_json(each, (path, name), reading, depth - 1) for name, each in value.items()}
        return BAD if BAD in found.values() else found
    return reading.bad(path, f"expected text, integers, true, false, null, lists or objects, got {described(value)}")
