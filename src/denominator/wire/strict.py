"""Strict JSON reading: one accept and refuse set, by a fast path (msgspec, when installed) and a plain one (stdlib).

Refused: a key written twice in one object at any depth (however it is escaped), NaN, Infinity, 1e999, half surrogate
pairs, invalid UTF-8, a byte order mark, nesting over 64, anything after the value, integers of more than 4300 digits.
Whatever the fast path does not take goes to the plain path, which accepts it or says what is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Literal

from denominator.errors import InputError, Problem
from denominator.wire.numbers import decimal_of
from denominator.wire.paths import dotted
from denominator.wire.scan import DEPTH_MAX, Fault, faults, path_at

Floats = Literal["refuse", "decimal"]
"""Numbers with a fraction or an exponent: refused (our own formats) or read as exact `Decimal` (foreign rows)."""

MAYBE_LONE = re.compile(r"\\u[dD][89a-fA-F]")
SLOW: Any = object()


class _RefusedError(ValueError):
    """Something that the plain parser takes and we do not."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why bytes were not read. `cut` says: the text ends or breaks off before one JSON value is complete."""

    faults: tuple[Fault, ...]
    cut: bool
    text: str


def loads(data: bytes | str, where: str = "", *, floats: Floats = "refuse") -> Any:
    """Reads one JSON document strictly; `InputError` names line, column and key of what is refused."""
    value, refusal = read(data, floats)
    if refusal is None:
        return value
    problems = [_problem(fault, refusal.text, where) for fault in refusal.faults]
    raise InputError("this JSON cannot be read", where=where, problems=problems)


def _problem(fault: Fault, text: str, where: str) -> Problem:
    line, column = place(text, fault.offset)
    key = dotted(fault.path)
    return Problem(f"{where}:{line}:{column}" + (f" {key}" if key else ""), fault.what, fault.fix)


def place(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of an offset in characters."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def read(data: bytes | str, floats: Floats) -> tuple[Any, Refusal | None]:
    """The value, or why there is none. Never raises for bad input."""
    value = fast(data, floats)
    return (value, None) if value is not SLOW else plain(data, floats)


# --- the fast path


def _number(text: str) -> Decimal:
    value = decimal_of(text)
    if value is None:
        raise _RefusedError(text)
    return value


def _no_number(text: str) -> Decimal:
    raise _RefusedError(text)


@cache
def _paths(floats: Floats) -> tuple[Callable[[bytes], Any], Callable[[Any], bytes]] | None:
    """msgspec's reader and writer; None where it is not installed: the offline verifier needs no third-party import."""
    try:
        from msgspec.json import Decoder, Encoder
    except ImportError:
        return None
    return Decoder(float_hook=_number if floats == "decimal" else _no_number).decode, Encoder().encode


def fast(data: bytes | str, floats: Floats) -> Any:
    """The value by msgspec when nothing about the document is doubtful, else `SLOW`."""
    paths = _paths(floats)
    if paths is None:
        return SLOW
    decode, encode = paths
    try:
        raw = data.encode() if isinstance(data, str) else data
        if not raw.isascii():
            raw.decode()
        value = decode(raw)
        sound = _keys_are_single(raw, encode(value)) and _is_shallow(raw, value)
    except (ValueError, OverflowError, RecursionError):
        return SLOW
    return value if sound else SLOW


def _keys_are_single(raw: bytes, again: bytes) -> bool:
    """Written again, a document has as many colons as before, unless a key and its value were overwritten.

    True of every document in which no colon is written as an escape; one with such an escape counts as doubtful.
    """
    if b"\\u003" in raw and (b"\\u003a" in raw or b"\\u003A" in raw):
        return False
    return raw.count(b":") == again.count(b":")


def _is_shallow(raw: bytes, value: Any) -> bool:
    return raw.count(b"{") + raw.count(b"[") <= DEPTH_MAX or _within(value, DEPTH_MAX)


def _within(value: Any, depth: int) -> bool:
    """Is a value nested no deeper than allowed?"""
    layer = [value]
    for _ in range(depth + 1):
        layer = [box for box in layer if box.__class__ is dict or box.__class__ is list]
        if not layer:
            return True
        layer = [each for box in layer for each in (box.values() if box.__class__ is dict else box)]
    return False


# --- the plain path


def plain(data: bytes | str, floats: Floats) -> tuple[Any, Refusal | None]:
    """The value by the stdlib parser with every check added, or what is wrong with the document."""
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    try:
        text.encode() if isinstance(data, str) else data.decode()
        return _parse(text, floats), None
    except UnicodeError as error:
        return None, _not_text(text, data, error)
    except json.JSONDecodeError as error:
        return None, _not_json(text, error)
    except RecursionError:
        return None, Refusal(faults(text, floats), False, text)
    except ValueError as error:
        found = faults(text, floats) or (Fault(str(error), (), 0),)
        return None, Refusal(found, False, text)


def _parse(text: str, floats: Floats) -> Any:
    value = json.loads(
        text,
        object_pairs_hook=_single,
        parse_constant=_no_number,
        parse_float=_number if floats == "decimal" else _no_number,
    )
    if not _within(value, DEPTH_MAX):
        raise _RefusedError("depth")
    if MAYBE_LONE.search(text):
        json.dumps(value, ensure_ascii=False, default=str).encode()
    return value


def _single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RefusedError("key")
    return found


def _not_text(text: str, data: bytes | str, error: UnicodeError) -> Refusal:
    """Invalid UTF-8, or half a surrogate pair (written as an escape, or inside a Python string)."""
    if isinstance(data, bytes) and isinstance(error, UnicodeDecodeError):
        at = len(data[: error.start].decode("utf-8", "replace"))
        cut = error.end >= len(data) and "end of data" in error.reason
        return Refusal((Fault("invalid UTF-8", path_at(text, at), at, "save the file as UTF-8"),), cut, text)
    found = tuple(fault for fault in faults(text, "decimal") if "surrogate" in fault.what)
    return Refusal(found or (Fault("half of a surrogate pair is no character", (), 0),), False, text)


def _not_json(text: str, error: json.JSONDecodeError) -> Refusal:
    what, fix = error.msg, ""
    more = error.msg == "Extra data"
    if more:
        what = "something follows the JSON value"
        if text[error.pos :].lstrip()[:1] == "{":
            what, fix = "two objects follow each other", "one object a line; were there two writers?"
    elif "BOM" in error.msg:
        what, fix = "a byte order mark", "save the file as UTF-8 without it"
    return Refusal((Fault(what, path_at(text, error.pos), error.pos, fix),), not more, text)
