"""Clocks of foreign rows: durations come from a monotonic clock, wall-clock stamps only give notes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from denominator.importers.columns import Cells
from denominator.importers.values import BadValueError, brief, number, seconds

TOLERANCE_MS = 2_000


def monotonic_ms(start: object, end: object) -> int:
    """The time between two monotonic readings in seconds."""
    first, last = number(start), number(end)
    if last < first:
        raise BadValueError(f"mono_end {brief(end)} is before mono_start {brief(start)}")
    return seconds(last - first)


def wall_ms(stamp: object) -> int:
    """A wall-clock stamp (ISO 8601, or milliseconds or seconds since 1970) as milliseconds since 1970."""
    if isinstance(stamp, str):
        try:
            moment = datetime.fromisoformat(stamp)
        except ValueError as error:
            raise BadValueError(f"{brief(stamp)} is no time stamp") from error
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        since = moment - datetime(1970, 1, 1, tzinfo=UTC)
        return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000
    exact = number(stamp)
    if abs(exact) > 10**15:
        raise BadValueError(f"{brief(stamp)} is no time stamp")
    return int(exact if abs(exact) >= 10**11 else exact * 1000)


def started_at(cells: Cells) -> dict[str, object]:
    """The UTC time at which a row started, from the first stamp that can be read: for the dates of a run, never a duration."""
    for column in ("start", "stamp", "end"):
        if column not in cells.known:
            continue
        try:
            return {"started_at": when(wall_ms(cells.known[column]))}
        except (BadValueError, OverflowError):
            continue
    return {}


def when(since_1970_ms: int) -> str:
    """Milliseconds since 1970 as UTC, to the second."""
    moment = datetime(1970, 1, 1) + timedelta(milliseconds=since_1970_ms)
    return moment.isoformat()[:19] + "Z"


def clock_anomaly(start_ms: int, end_ms: int, measured_ms: int | None) -> str:
    """Why two wall-clock stamps cannot be a duration, or an empty text."""
    stamped = end_ms - start_ms
    if measured_ms is None:
        return f"wall stamps run backwards ({shown(stamped)} s)" if stamped < 0 else ""
    if abs(stamped - measured_ms) <= TOLERANCE_MS:
        return ""
    return f"wall stamps say {shown(stamped)} s, the monotonic clock says {shown(measured_ms)} s"


def shown(duration_ms: int) -> str:
    """Milliseconds as decimal seconds."""
    plain = format(Decimal(duration_ms).scaleb(-3), "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
