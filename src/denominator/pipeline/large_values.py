"""Columns of values that stand beside a kind, many rows at a time: what each is as a number, and what of it is of the kind.

What cannot be told with certainty (a number near a tie, a stamp of another form) is `odd`: its line is read by itself. A double
number and the exact one it was written as differ by far less than `CLEAR`, so both round to the same whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import UNSET

from denominator.pipeline.large_columns import Open, counted, dated, in_seconds
from denominator.records.draws import LARGEST

CLEAR = 0.499
"""So far from a whole number at most: a tie is half of one."""
MOST_MS = 10**12
FAR = re.compile(rb"[eE]-[0-9]{3}|0{200}")
TINY = re.compile(rb"[:,\[\s]-?[0-9]++(?:\.[0-9]++)?[eE]-[0-9]{3}|0{200}")
STAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{3}(?:[0-9]{3})?)?(?:Z|\+00:00)?"
)
MOST_DAYS = 4096
Values = Sequence[Any]
Tiny = Callable[[], bool]
"""May some line hold a number too small for a double number? It is read as 0 there, and refused where it is read exactly."""


class Told(NamedTuple):
    """A column: the numbers, what of each value is of its kind (None: of all the same, a number above 0), and odd places."""

    numbers: Values
    kinds: Values | None
    odd: Sequence[int] = ()


def holds_tiny(text: bytes) -> bool:
    """May some number in lines be too small for a double number? Names of tasks often hold what looks like an exponent."""
    return FAR.search(text) is not None and TINY.search(text) is not None


def whole_numbers(column: Values) -> Told:
    """Plain counts, null or nothing."""
    try:
        plain = min(column) > 0 and max(column) < LARGEST
    except TypeError:
        plain = False
    return Told(column, None) if plain else _classed(column, column)


def seconds(column: Values, tiny: Tiny) -> Told:
    """Seconds as milliseconds."""
    return _rounded(column, 1000, tiny)


def milliseconds(column: Values, tiny: Tiny) -> Told:
    """Milliseconds as whole ones."""
    return _rounded(column, 1, tiny)


def stamps(column: Values) -> Told:
    """Stamps by their date."""
    days = [_day(one) if one.__class__ is str else one for one in column]
    odd = [at for at, (day, one) in enumerate(zip(days, column, strict=True)) if day is None and one is not None]
    return Told((), days, odd)


def as_told(read: Open, column: Values, tiny: Tiny) -> Told:
    """A column whose values are read so one by one."""
    if read is counted:
        return whole_numbers(column)
    if read is dated:
        return stamps(column)
    return seconds(column, tiny) if read is in_seconds else milliseconds(column, tiny)


def type_of(read: Open) -> Any:
    """As what such a column is decoded."""
    return int | None if read is counted else str | None if read is dated else int | float | None


def _rounded(column: Values, times: int, tiny: Tiny) -> Told:
    try:
        whole = [int(one * times + 0.5) for one in column]
        # A number is that of the text where the nearest double number to it is the one that was read.
        same = [one / times for one in whole] == column
        if same and min(whole) > 0 and max(whole) < MOST_MS:
            return Told(whole, None)
    except TypeError:
        pass
    numbers = [_one(value, times, tiny) for value in column]
    return _classed(numbers, column)


def _one(value: Any, times: int, tiny: Tiny) -> Any:
    """One number; -1 where it cannot be told."""
    if value is None or value is UNSET:
        return value
    exact = value * times
    whole = round(exact)
    clear = -CLEAR < exact - whole < CLEAR and value >= 0 and whole < MOST_MS
    doubtful = not value and value.__class__ is float and tiny()
    return whole if clear and not doubtful else -1


def _classed(numbers: Values, column: Values) -> Told:
    """What is null, what is not there, what is 0, what is above; everything else is odd."""
    kinds: list[Any] = []
    odd = []
    for at, (number, value) in enumerate(zip(numbers, column, strict=True)):
        if value is None or value is UNSET:
            kinds.append(value)
        else:
            kinds.append(int(number > 0))
            if not 0 <= number < LARGEST:
                odd.append(at)
    return Told(numbers, kinds, odd)


def _day(stamp: str) -> str | None:
    found = STAMP.fullmatch(stamp)
    return _day_of(found[1]) if found else dated(stamp)


@lru_cache(MOST_DAYS)
def _day_of(day: str) -> str | None:
    return dated(f"{day}T00:00:00Z")
