"""Wall-clock stamps of foreign trials as durations: both must be there and in order, or nothing was measured."""

from __future__ import annotations

from denominator.importers.stamps import wall_ms, when
from denominator.importers.values import BadValueError
from denominator.records.values import NotMeasured


def between(start: object, end: object, why: str) -> int | NotMeasured:
    """Milliseconds between two ISO 8601 stamps; unknown where one is missing, unreadable or before the other."""
    first, last = _ms(start), _ms(end)
    if first is None or last is None:
        return NotMeasured(why)
    return last - first if last >= first else NotMeasured("the stamps run backwards")


def moment(stamp: object, why: str) -> str | NotMeasured:
    """A stamp as UTC, to the second."""
    found = _ms(stamp)
    try:
        return NotMeasured(why) if found is None else when(found)
    except OverflowError:
        return NotMeasured(why)


def _ms(stamp: object) -> int | None:
    if not isinstance(stamp, str):
        return None
    try:
        return wall_ms(stamp)
    except (BadValueError, OverflowError):
        return None
