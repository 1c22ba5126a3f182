"""Text in cells of a spreadsheet: never a formula, never taken for a date, always on one line."""

from __future__ import annotations

import re

FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20'"
INNER = re.compile(rf"([,;|\t])(\s*)([{re.escape(FORMULA[:-1])}])")
"""A program that takes another separator would begin a cell there."""
TAKEN = re.compile(r"\s*([0-9.].*|true|false|[a-z]{3,9}[-./ ]?[0-9]+)\s*\Z", re.IGNORECASE | re.DOTALL)
"""What spreadsheets turn into numbers, dates or truth values when they open a file."""


def cell(text: str) -> str:
    """Text that a spreadsheet shows as it is; an apostrophe stands before what it would take for something else."""
    line = INNER.sub(r"\1\2'\3", one_line(text))
    return f"'{line}" if line.lstrip()[:1] in [*FORMULA] or TAKEN.match(line) else line


def same_cell(found: str, text: str) -> bool:
    """Is a cell that came back the one that was written? A program may have taken the apostrophe, or spaces, away."""
    wrote = cell(text).strip()
    return found.strip() in (wrote, wrote.removeprefix("'"), one_line(text).strip(), text.strip())


def one_line(text: str) -> str:
    """Text without control characters: what cannot be printed is shown as its code."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
