"""When two arms ran: the overlap of their windows, and whether the endpoint's terms were read for the day of each run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from denominator.compare.observed import Values
from denominator.records.comparisons import Side

DAY = 10
NONE = "none"


@dataclass(frozen=True, slots=True)
class Window:
    """First and last start (UTC text); empty where nothing is recorded."""

    first: str = ""
    last: str = ""


def window_of(side: Side, values: Values) -> Window:
    """From the rows' own stamps, else from the start and the end that a document states; a start alone is no window."""
    stamps = [row.started_at for row in side.sheet.ledger.rows if isinstance(row.started_at, str)]
    if stamps:
        return Window(min(stamps), max(stamps))
    return Window(_text(values, "started_at_utc"), _text(values, "finished_at_utc"))


def _text(values: Values, name: str) -> str:
    """A stated text; empty where it is unknown or no text."""
    found = values.get(name)
    read = json.loads(found) if isinstance(found, str) else ""
    return read if isinstance(read, str) else ""


def overlap_note(a: Side, b: Side, left: Window, right: Window) -> tuple[str, bool]:
    """The line about both windows, and whether they are known to overlap."""
    if not (left.first and left.last and right.first and right.last):
        told = [
            f"{side.name} started {window.first or 'at no recorded time'}" for side, window in ((a, left), (b, right))
        ]
        return f"windows: {', '.join(told)}; whether they overlap is unknown", False
    shown = f"{a.name} {left.first} to {left.last}, {b.name} {right.first} to {right.last}"
    if max(left.first, right.first) <= min(left.last, right.last):
        return f"windows overlap: {shown}", True
    return f"windows do not overlap: {shown}", False


def stale_terms(sides: Iterable[tuple[Side, Window, Values]]) -> list[str]:
    """Runs of different UTC days need a reading of the endpoint's terms of each day."""
    given = [(side, window.first[:DAY], _text(values, "terms_read_on")) for side, window, values in sides]
    if len({day for _, day, _ in given if day}) < 2 or not any(read not in ("", NONE) for _, _, read in given):
        return []
    return [
        f"arm {side.name} started on {day}, the endpoint's terms were read {'on ' + read if read else 'on no stated day'}: "
        "runs of different days need fresh readings"
        for side, day, read in given
        if day and read != NONE and read[:DAY] != day
    ]
