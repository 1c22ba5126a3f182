"""TOML that people write -> records: every mistake in one pass, each with its key and line.

The standard parser reads; its first syntax error ends the reading. Numbers that are no integers arrive as decimal text
for decimal fields, dates as ISO text. `schema_version` may be left out: that means 1, for ever.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from denominator.errors import InputError, Problem
from denominator.wire.decode import read_record
from denominator.wire.paths import dotted
from denominator.wire.reading import BAD, Reading
from denominator.wire.texts import DecimalNumber
from denominator.wire.toml_lines import lines_of

R = TypeVar("R")
PLACE = re.compile(r"^(?P<what>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)$", re.DOTALL)


def read_toml(cls: type[R], text: str, where: str, given: Mapping[str, Any] | None = None) -> R:
    """Reads TOML text as `cls`. `given`: plain values of top fields that the text may leave out (a folder's id)."""
    data = toml_values(text, where)
    reading = Reading(_Places(where, text, data), toml=True)
    record = read_record(cls, {**(given or {}), **data}, reading)
    if record is BAD:
        raise InputError(f"{cls.__name__} cannot be read", where=where, problems=reading.problems)
    return cast(R, record)


def toml_values(text: str, where: str) -> dict[str, Any]:
    """The text as plain values, fractions as `DecimalNumber`. `InputError` with the line when it is no TOML."""
    try:
        text.encode()
        return tomllib.loads(text, parse_float=DecimalNumber)
    except UnicodeEncodeError:
        raise _no_toml(where, "", "half of a surrogate pair is no character") from None
    except RecursionError:
        raise _no_toml(where, "", "nested too deeply") from None
    except ValueError as error:
        found = PLACE.match(str(error))
        line = (found["line"] or str(text.count("\n") + 1)) if found else ""
        raise _no_toml(where, line, found["what"] if found else str(error)) from None


def _no_toml(where: str, line: str, what: str) -> InputError:
    place = f"{where}:{line}" if line else where
    return InputError("not a TOML document", where=where, problems=[Problem(place, what[:300])])


class _Places:
    """Names a place as `file:line key`; a key that is not in the text has the line of the table that lacks it."""

    def __init__(self, where: str, text: str, data: Mapping[str, Any]) -> None:
        self.where, self.text, self.data = where, text, data
        self.lines: dict[tuple[str | int, ...], int] | None = None

    def __call__(self, parts: tuple[str | int, ...]) -> str:
        if self.lines is None:
            self.lines = lines_of(self.text)
        known = parts
        while known and known not in self.lines:
            known = known[:-1]
        line = f":{self.lines[known]}" if known else ""
        return f"{self.where}{line} {dotted(parts)}".rstrip()
