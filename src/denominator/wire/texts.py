"""Text with a form: decimals and dates."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?\Z")
NUMBERS = ("decimal", "limit")
"""Decimals as text; a limit may be empty, which means that there is none."""
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")


class DecimalNumber(str):
    """A number of a TOML text that is no integer, kept as it was written."""

    __slots__ = ()


def fits_text(kind: str, value: str) -> bool:
    """Does the text have the form? A date is a real day (2026-10-18) or empty, which means that none was given."""
    if kind in NUMBERS:
        return DECIMAL.match(value) is not None or (kind == "limit" and not value)
    return not value or (DATE.match(value) is not None and _is_day(value))


def _is_day(value: str) -> bool:
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def described(value: Any) -> str:
    """A value as named in an error: its kind, and its content when that is short."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return f"the integer {value}" if abs(value) < 10**20 else "a large integer"
        case DecimalNumber() | Decimal():
            return f"the number {value!s:.60}"
        case str():
            return f"text {value!r:.60}"
        case list():
            return f"a list of {len(value)}"
        case dict():
            return "an object"
        case _:
            return f"{type(value).__name__} {value!s:.60}"
