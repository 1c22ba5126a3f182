"""One foreign value, read strictly: a count, a duration, a flag; anything else is refused by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal

from denominator.records.values import is_placeholder

NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?\Z")
MAX_COUNT = 2**63 - 1
MAX_SECONDS = 10**10


class BadValueError(ValueError):
    """A value that cannot mean what its column says."""


class CsvText(str):
    """A cell of a CSV file: text that may be read as a number or a boolean where its column says so."""

    __slots__ = ()


def kind_of(value: object) -> str:
    """The JSON name of a value's type."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float | Decimal):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list | tuple) else "an object"


def number(value: object) -> Decimal:
    """A JSON number, exactly. Booleans and digits in quotes are none."""
    if isinstance(value, CsvText) and NUMBER.match(value):
        value = Decimal(str(value))
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise BadValueError(f"{kind_of(value)} is not a number: {brief(value)}")
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    if not exact.is_finite():
        raise BadValueError(f"{exact} is not a finite number")
    return exact


def count(value: object) -> int:
    """A whole number from 0."""
    exact = number(value)
    if exact < 0:
        raise BadValueError(f"{brief(value)} is negative")
    if exact > MAX_COUNT:
        raise BadValueError(f"{brief(value)} is too large for a count")
    if exact != exact.to_integral_value():
        raise BadValueError(f"{brief(value)} is not a whole number")
    return int(exact)


def ordinal(value: object) -> int:
    """A whole number from 1."""
    if (found := count(value)) < 1:
        raise BadValueError("counting starts at 1, found 0")
    return found


def integer(value: object) -> int:
    """A whole number of either sign (an exit status)."""
    exact = number(value)
    if exact != exact.to_integral_value() or abs(exact) > MAX_COUNT:
        raise BadValueError(f"{brief(value)} is not a whole number")
    return int(exact)


def seconds(value: object) -> int:
    """Seconds as whole milliseconds, without binary fractions on the way."""
    exact = number(value)
    if exact < 0:
        raise BadValueError(f"{brief(value)} s is negative")
    if exact > MAX_SECONDS:
        raise BadValueError(f"{brief(value)} s is no duration")
    return int((exact * 1000).to_integral_value(ROUND_HALF_EVEN))


def millis(value: object) -> int:
    """Milliseconds, rounded to whole ones."""
    return seconds(number(value) / 1000)


def flag(value: object) -> bool:
    """True or false; 0, 1 and words are neither."""
    if isinstance(value, CsvText) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if not isinstance(value, bool):
        raise BadValueError(f"{kind_of(value)} is not true or false: {brief(value)}")
    return value


def text(value: object) -> str:
    """A string."""
    if not isinstance(value, str):
        raise BadValueError(f"{kind_of(value)} is not text: {brief(value)}")
    return str(value)


def name(value: object) -> str:
    """A string that names something: not empty, not a placeholder."""
    found = text(value)
    if is_placeholder(found):
        raise BadValueError(f"{found!r} names nothing")
    return str(found)


def table(value: object) -> dict[str, object]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise BadValueError(f"{kind_of(value)} is not an object: {brief(value)}")
    return value


def flag_or_names(value: object) -> bool:
    """A boolean, or a list of names: whether there is one."""
    return bool(names(value)) if isinstance(value, list | tuple) else flag(value)


def names(value: object) -> tuple[str, ...]:
    """A list of names."""
    if not isinstance(value, list | tuple):
        raise BadValueError(f"{kind_of(value)} is not a list: {brief(value)}")
    return tuple(name(item) for item in value)


def text_or_names(value: object) -> tuple[str, ...]:
    """A name, or a list of names."""
    return names(value) if isinstance(value, list | tuple) else (name(value),)


def share(value: object) -> str:
    """A share from 0 to 1 as plain decimal text; written as a number or as text."""
    try:
        exact = Decimal(value) if isinstance(value, str) else number(value)
    except ArithmeticError as error:
        raise BadValueError(f"{brief(value)} is not a share") from error
    if not exact.is_finite() or not 0 <= exact <= 1:
        raise BadValueError(f"{brief(value)} is not a share from 0 to 1")
    return format(exact.normalize(), "f")


def scalar_text(value: object) -> str:
    """How a value is written in a column map: `1`, `0`, `true`, `null`, `usageLimits`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | Decimal):
        return format(number(value).normalize(), "f")
    return str(value)


def brief(value: object) -> str:
    """A value in a message: short, on one line."""
    shown = scalar_text(value) if isinstance(value, Decimal) and value.is_finite() else repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


Reader = Callable[[object], object]
