"""Numbers of foreign results as facts: exact, or unknown with the reason; never a number that stands for "not known"."""

from __future__ import annotations

from decimal import Decimal

from denominator.importers import values
from denominator.importers.stamps import when
from denominator.importers.values import BadValueError
from denominator.records.values import NotMeasured


def count_or(value: object, why: str) -> int | NotMeasured:
    """A whole number from 0; anything else is unknown."""
    try:
        return values.count(value)
    except BadValueError:
        return NotMeasured(why)


def spent_or(value: object, why: str) -> int | NotMeasured:
    """A count of tokens: harnesses write 0 for what they were not told, so 0 is unknown too."""
    return count_or(value, why) or NotMeasured(why)


def ms_or(seconds: object, why: str) -> int | NotMeasured:
    """Seconds as whole milliseconds."""
    try:
        return values.seconds(seconds)
    except BadValueError:
        return NotMeasured(why)


def millis_or(value: object, why: str) -> int | NotMeasured:
    """Milliseconds, rounded to whole ones."""
    try:
        return values.millis(value)
    except BadValueError:
        return NotMeasured(why)


def cost_or(value: object, why: str) -> str | NotMeasured:
    """An amount of money as decimal text; 0 says that the price is not known, not that nothing was spent."""
    try:
        exact = values.number(value)
    except BadValueError:
        return NotMeasured(why)
    return format(exact, "f") if exact > 0 and abs(exact.adjusted()) < 40 else NotMeasured(why)


def moment_or(since_1970_ms: object, why: str) -> str | NotMeasured:
    """Milliseconds since 1970 as a UTC time; 0 and what lies before is no time at which anything ran."""
    try:
        stamp = values.count(since_1970_ms)
        return when(stamp) if stamp > 0 else NotMeasured(why)
    except (BadValueError, OverflowError):
        return NotMeasured(why)


def text_or(value: object, why: str) -> str | NotMeasured:
    """A text that says something."""
    return value if isinstance(value, str) and value.strip() else NotMeasured(why)


def plain_scalars(table: dict[str, object], *leave_out: str, longest: int = 200) -> dict[str, object]:
    """The scalars of a row that a reader may want later: no long texts, nothing nested, nothing that is read elsewhere."""
    return {
        name: value
        for name, value in table.items()
        if name not in leave_out and len(name) <= longest
        if isinstance(value, bool | int | Decimal) or (isinstance(value, str) and len(value) <= longest)
    }
