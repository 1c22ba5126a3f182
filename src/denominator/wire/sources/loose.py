"""JSON and JSON lines as other programs write them: torn ends, and to whoever asks doubled keys, are told, and end nothing.

Numbers with a fraction are exact `Decimal` values. `NaN`, `Infinity` and numbers of more than 300 digits are `None`: no such
number was measured. Half of a surrogate pair, which is no character, becomes U+FFFD. All of that is true of either path.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from denominator.errors import InputError
from denominator.wire.sources.base import Source, lines_of

DIGITS_MAX = 300
"""Longer whole numbers could not even become a float."""
JSON_DEPTH_MAX = 200
VALUES_MAX = 4_000_000
"""Each value of a document takes a hundred bytes of memory, however short it is."""
DIGITS = bytes.maketrans(b"0123456789", b"0" * 10)
TEXTS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
HALF = re.compile("[\ud800-\udfff]")
SLOW: Any = object()


def loose_json(data: bytes, where: str, doubled: list[str] | None = None) -> Any:
    """One JSON document. InputError: no JSON, not UTF-8, nested too deeply; of a key that stands twice the last one counts.

    `doubled` is filled with a sentence for each key that stands twice in one object with two values.
    """
    if values_in(data, VALUES_MAX) > VALUES_MAX:
        raise InputError(f"holds more than {VALUES_MAX} values", where=where, fix="name a smaller part of it")
    found = fast(data)
    if found is SLOW:
        found = plain(data, where)
    if _too_deep(data, found):
        raise InputError(f"is nested more than {JSON_DEPTH_MAX} deep", where=where)
    if doubled is not None and not _single(data, found):
        doubled += _doubled(data)
    return found


def _single(data: bytes, found: Any) -> bool:
    """Written again, a document has as many colons as before, unless a key and its value were overwritten."""
    escaped = b"\\u003" in data and (b"\\u003a" in data or b"\\u003A" in data)
    return not escaped and data.count(b":") == json.dumps(found, default=str, ensure_ascii=False).count(":")


def _doubled(data: bytes) -> list[str]:
    """What a document that was read says twice."""
    told: list[str] = []

    def pairs(every: list[tuple[str, Any]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in every:
            if key in made and made[key] != value:
                told.append(f"the key {key[:80]!r} stands twice with two values")
            made[key] = value
        return made

    decoder = json.JSONDecoder(
        object_pairs_hook=pairs, parse_float=_fraction, parse_int=whole_number, parse_constant=lambda _: None
    )
    decoder.decode(data.decode("utf-8-sig"))
    return told


def values_in(data: bytes, most: int) -> int:
    """At least as many as there are values in a document; exact where that is more than `most`."""
    if len(data) <= most:
        return 0
    count = sum(map(data.count, (b",", b"[", b"{")))
    return count if count <= most else sum(map(TEXTS.sub(b"", data).count, (b",", b"[", b"{")))


# --- the fast path


@cache
def _decode() -> Callable[[bytes], Any]:
    from msgspec.json import Decoder

    return Decoder(float_hook=_fraction).decode


def fast(data: bytes) -> Any:
    """The value by msgspec where it accepts, else `SLOW`."""
    try:
        if not data.isascii():
            data.decode()
        if len(data) >= DIGITS_MAX and b"0" * DIGITS_MAX in data.translate(DIGITS):
            return SLOW
        return _decode()(data)
    except (ValueError, OverflowError, RecursionError):
        return SLOW


# --- the plain path


def plain(data: bytes, where: str) -> Any:
    """The value by the standard library, or what is wrong with the document."""
    try:
        text = data.decode("utf-8-sig")
        found = DECODER.decode(text)
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", where=where) from None
    except RecursionError:
        raise InputError("is nested too deeply", where=where) from None
    except ValueError as error:
        what = f"is no JSON: {error}" if data.strip() else "is empty"
        raise InputError(what, where=where, fix="the copy may be cut: get it again") from None
    return whole_text(found) if "\\ud" in text.lower() and not _too_deep(data, found) else found


def whole_text(value: Any) -> Any:
    """A value with every half of a surrogate pair replaced. No deeper than JSON may be."""
    if isinstance(value, str):
        return HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [whole_text(one) for one in value]
    if isinstance(value, dict):
        return {whole_text(key): whole_text(one) for key, one in value.items()}
    return value


def number(text: str) -> Decimal | None:
    """An exact number; what is no finite number of a sensible size is none that was measured."""
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() and abs(found.adjusted()) < DIGITS_MAX and len(text) < DIGITS_MAX else None


def _fraction(text: str) -> Decimal | None:
    """The same of a number of JSON, the usual kind of which needs no check."""
    return Decimal(text) if len(text) < DIGITS_MAX and "e" not in text and "E" not in text else number(text)


def whole_number(text: str) -> int | None:
    """A whole number of a sensible size."""
    return int(text) if len(text.removeprefix("-")) < DIGITS_MAX else None


DECODER = json.JSONDecoder(parse_float=_fraction, parse_int=whole_number, parse_constant=lambda _: None)


def _too_deep(data: bytes, value: Any) -> bool:
    """Iterative, for a deep value would end a recursive look at it too."""
    if data.count(b"{") + data.count(b"[") <= JSON_DEPTH_MAX:
        return False
    inside = [value]
    for _ in range(JSON_DEPTH_MAX + 1):
        lists = [one for one in inside if one.__class__ is list]
        maps = [one for one in inside if one.__class__ is dict]
        if not lists and not maps:
            return False
        inside = [*chain.from_iterable(lists), *chain.from_iterable(map(dict.values, maps))]
    return True


class Line(NamedTuple):
    """One line of JSON. `value` is None where `fault` says why it could not be read; `torn`: the last line breaks off."""

    number: int
    value: Any
    sha256: str
    fault: str = ""
    torn: bool = False


def loose_lines(source: Source, name: str, most: int = 0) -> Iterator[Line]:
    """The JSON lines of a member, one at a time; blank lines are left out, bad ones are told. `most` as for `lines_of`."""
    sha256, small = hashlib.sha256, JSON_DEPTH_MAX
    for number_, data, whole in lines_of(source, name, most):
        if not data.strip():
            continue
        sha = sha256(data).hexdigest()
        shallow = len(data) < small or data.count(b"{") + data.count(b"[") <= small
        value = fast(data) if shallow else SLOW
        if value is not SLOW:
            yield Line(number_, value, sha)
            continue
        try:
            yield Line(number_, loose_json(data, f"{name}:{number_}"), sha)
        except InputError as error:
            yield Line(number_, None, sha, error.what, torn=not whole)
