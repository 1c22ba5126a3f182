"""What came back from a labeler: the filled lines of a sheet, before anybody has checked them."""

from __future__ import annotations

from dataclasses import dataclass

NEEDED = ("sheet", "copy", "row", "axis", "value", "why")
SHOWN_KEY = ("task", "repeat", "attempt")
"""Names of a row for people; where they are there they must be those that were written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line as it came back; `number` is its line in the file. `shown` are the cells of the key, where there are any."""

    number: int
    sheet: str
    copy: str
    row: str
    axis: str
    value: str
    why: str
    shown: tuple[tuple[str, str], ...] = ()
