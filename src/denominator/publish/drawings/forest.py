"""Intervals under each other on one axis, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from denominator.publish.drawings.frame import CHAR, column, framed, line, place, text
from denominator.publish.terminal.plots import Ranged

ROW = 22
TOP = 40
SPAN = 480


def forest_svg(rows: Sequence[Ranged], title: str, least: int = 0) -> str:
    """An interval a row on an axis from `least` (0 or -1) to 1; a dot where there is a value, the note at the end."""
    left = column(row.label for row in rows)
    bottom = TOP + len(rows) * ROW + 6
    body = [text(8, 20, title)]
    for tick in (Fraction(number, 4) for number in range(4 * least, 5)):
        x = _x(tick, left, least)
        body += [line(x, TOP - 6, x, bottom, "grid"), text(x, bottom + 16, _named(tick), "soft", "middle")]
    for number, row in enumerate(rows):
        body += _row(row, TOP + number * ROW + ROW // 2, left, least)
    notes = max((len(row.note) for row in rows), default=0) * CHAR
    width = max(left + SPAN + 24 + notes, len(title) * CHAR + 16) + 16
    told = "; ".join(f"{row.label} {_value(row)} from {row.lo} to {row.hi}" for row in rows)
    return framed(title, f"Intervals. {told}.", width, bottom + 28, body)


def _row(row: Ranged, y: int, left: int, least: int) -> list[str]:
    lo, hi = _x(Fraction(row.lo), left, least), _x(Fraction(row.hi), left, least)
    found = [text(8, y + 4, row.label), line(lo, y, hi, y, "bar")]
    found += [line(x, y - 5, x, y + 5, "bar") for x in (lo, hi)]
    if isinstance(row.value, str):
        found.append(f'<circle class="dot" cx="{_x(Fraction(row.value), left, least)}" cy="{y}" r="5"/>')
    return [*found, text(left + SPAN + 20, y + 4, row.note, "soft")] if row.note else found


def _x(value: Fraction, left: int, least: int) -> int:
    return place((value - least) / (1 - least), left, SPAN)


def _value(row: Ranged) -> str:
    return row.value if isinstance(row.value, str) else "no value,"


def _named(tick: Fraction) -> str:
    scaled = int(tick * 100)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{abs(scaled) // 100}.{abs(scaled) % 100:02d}"
