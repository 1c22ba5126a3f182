"""Telling the options of a union apart by the value that is there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, time
from typing import Any

from denominator.records.values import Known, NotMeasured
from denominator.wire.leaves import NOUNS
from denominator.wire.shapes import Fixed, ListOf, MapOf, Nested, Scalar, Shape, Words
from denominator.wire.texts import NUMBERS, DecimalNumber

Claim = Callable[[Any, bool], bool]
"""Does a value belong to an option? The second argument: was it written in TOML?"""


def ordered(options: tuple[Shape, ...]) -> list[Shape]:
    """Options in the order in which they may claim a value: objects that name themselves first, text last."""
    return sorted(options, key=_rank)


def _rank(shape: Shape) -> int:
    match shape:
        case Nested() if shape.cls in (NotMeasured, Known):
            return 0
        case Words():
            return 2
        case Scalar(type=kind) if kind is str:
            return 3
        case _:
            return 1


def claim(shape: Shape, siblings: tuple[Shape, ...]) -> Claim:
    """Which values belong to an option, given that options before it did not want them."""
    match shape:
        case Scalar(type=kind, text=form) if kind is str:
            return _text_claim(form)
        case Scalar(type=kind):
            return lambda value, _toml: value.__class__ is kind
        case Words():
            return lambda value, _toml: value.__class__ is str
        case ListOf() | Fixed():
            return lambda value, _toml: value.__class__ is list
        case Nested() if shape.cls is NotMeasured:
            exact = any(isinstance(each, MapOf) for each in siblings)
            return lambda value, _toml: value.__class__ is dict and says_unknown(value, exact)
        case Nested() if shape.cls is Known:
            return lambda value, _toml: value.__class__ is dict and "known" in value
        case _:
            return lambda value, _toml: value.__class__ is dict


def _text_claim(form: str) -> Claim:
    """In TOML a date fits text, and a number fits a decimal (numbers go to an integer option first)."""
    also = (int, date, time, DecimalNumber) if form in NUMBERS else (date, time)

    def claims(value: Any, toml: bool) -> bool:
        return value.__class__ is str or (toml and isinstance(value, also) and value.__class__ is not bool)

    return claims


def says_unknown(value: dict[str, Any], exact: bool) -> bool:
    """Is this object an unknown value? Beside a mapping with free keys only the exact form counts."""
    if exact:
        return len(value) == 1 and value.get("not_measured").__class__ is str
    return "not_measured" in value


def noun(shape: Shape) -> str:
    """An option as named in an error."""
    match shape:
        case Scalar(type=kind, text=form):
            return {**dict.fromkeys(NUMBERS, "a decimal number"), "date": "a date"}.get(form, NOUNS[kind])
        case Words():
            return "a word"
        case ListOf() | Fixed():
            return "a list"
        case Nested() if shape.cls is NotMeasured:
            return "an unknown value (not_measured: why)"
        case _:
            return "an object"
