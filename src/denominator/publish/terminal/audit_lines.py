"""Words and lines that the pages of an audit share."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.publish.terminal.page import GREEN, RED, YELLOW
from denominator.records.audits import PublishedLine, Says
from denominator.records.rows import Count
from denominator.records.values import NotMeasured

MOST = 12
"""Lines of a list before the rest is folded into one."""
MEANT = "denominator explain WORD says what one means: draw, slice, rung, unscoreable, bounds, given ..."
PAINT = {
    Says.GIVEN: GREEN,
    Says.AGREES: GREEN,
    Says.CUT: YELLOW,
    Says.OTHER_COUNT: RED,
    Says.IMPOSSIBLE: RED,
    Says.UNEXPLAINED: YELLOW,
    Says.DISAGREES: RED,
}


def first(lines: Sequence[str], most: int) -> list[str]:
    """As many as fit, then how many more there are."""
    return [*lines[:most], folded(len(lines) - most)] if len(lines) > most else list(lines)


def folded(rest: int) -> str:
    """The line in the place of those that are not shown."""
    return f"and {rest} more (--all prints them, --json lists them)"


def quoted(one: PublishedLine) -> str:
    """A number in the source's words."""
    return f'"{one.printed} %"' if one.unit == "percent" else f'"{one.printed}"'


def says(one: PublishedLine) -> str:
    """The word for what the rows say of it."""
    return one.says.replace("_", " ")


def number(value: Count) -> str:
    """A count, or why there is none."""
    return f"not known: {value.not_measured}" if isinstance(value, NotMeasured) else str(value)
