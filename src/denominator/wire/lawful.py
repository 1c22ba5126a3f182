"""JSON as RFC 8259 has it, read from somebody else: what the bytes hold, and by which closed words they are not JSON.

Strict reading (`strict.py`) refuses more than the grammar does: numbers beyond the range of doubles, half surrogate pairs.
Those are legal and are read here. What every client's parser takes and the grammar does not (a key written twice, NaN) is
read too and named, so that the rest of an answer can still be judged.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from denominator.wire.numbers import ZERO, decimal_of
from denominator.wire.scan import DEPTH_MAX
from denominator.wire.strict import SLOW, fast

BOM, NOT_UTF8, NOT_JSON, TOO_DEEP = "bom", "not_utf8", "not_json", "too_deep"
DUPLICATE_KEY, NONSTANDARD_CONSTANT = "duplicate_key", "nonstandard_constant"
DIGITS_MAX = 4300
HUGE, TINY = Decimal("1e400"), Decimal("1e-400")
"""Stand for numbers beyond the range of doubles: equal to no number that is within it."""
_MARK = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Lawful:
    """`value` where one could be read (`known`), and the words that say what is wrong, the worst first.

    `cut`: the text ends before one value is complete. `more`: something follows the first value.
    """

    value: Any = None
    known: bool = False
    wrong: tuple[str, ...] = ()
    cut: bool = False
    more: bool = False


def read_lawful(data: bytes | str) -> Lawful:
    """The value of one JSON text. Never raises; numbers that are no integers are `Decimal`, constants are text."""
    value = fast(data, "decimal")
    if value is not SLOW:
        return Lawful(value, known=True)
    try:
        text = data if isinstance(data, str) else data.decode()
    except UnicodeDecodeError as error:
        return Lawful(wrong=(NOT_UTF8,), cut="end of data" in error.reason)
    if text.startswith("\ufeff"):
        return Lawful(wrong=(BOM,))
    if is_deep(text):
        return Lawful(wrong=(TOO_DEEP,))
    return _read(text)


def _read(text: str) -> Lawful:
    wrong: list[str] = []

    def single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            wrong.append(DUPLICATE_KEY)
        return found

    def constant(word: str) -> str:
        wrong.append(NONSTANDARD_CONSTANT)
        return word

    try:
        value = json.loads(
            text, object_pairs_hook=single, parse_constant=constant, parse_float=_number, parse_int=_integer
        )
    except json.JSONDecodeError as error:
        more = error.msg == "Extra data"
        return Lawful(wrong=(NOT_JSON,), cut=not more and _is_open(text, error.pos), more=more)
    return Lawful(
        value, known=True, wrong=tuple(word for word in (NONSTANDARD_CONSTANT, DUPLICATE_KEY) if word in wrong)
    )


def _number(text: str) -> Decimal:
    """Exact within the range of doubles; beyond it a number that equals none of them."""
    value = decimal_of(text)
    if value is not None or ZERO.match(text):
        return value or Decimal(0)
    beyond = HUGE if float(text) else TINY
    return -beyond if text.startswith("-") else beyond


def _integer(text: str) -> int | Decimal:
    return int(text) if len(text) <= DIGITS_MAX else (-HUGE if text.startswith("-") else HUGE)


def is_deep(text: str) -> bool:
    """Is it nested deeper than anything that is read here?"""
    if text.count("{") + text.count("[") <= DEPTH_MAX:
        return False
    depth = 0
    for mark in _MARK.finditer(text):
        if mark[0] in "{[":
            depth += 1
        elif mark[0] in "}]":
            depth -= 1
        if depth > DEPTH_MAX:
            return True
    return False


def _is_open(text: str, at: int) -> bool:
    """Does nothing but a token that may be unfinished stand from the fault to the end?"""
    rest = text[at:].strip()
    return (
        not rest
        or re.fullmatch(r'"(?:[^"\\]|\\.)*+\\?|t(r(ue?)?)?|f(a(ls?)?)?|n(ul?)?|-|[-0-9.eE+]+', rest) is not None
    )
