"""How long a provider asks to wait: one reading of Retry-After for retries, for pauses, and for what a probe says of it."""

from __future__ import annotations

import calendar
import re
from email.utils import parsedate_tz

SECONDS_MAX = 10**9 - 1
_SECONDS = re.compile(r"([0-9]+)(\.[0-9]+)?")
_DIGITS_MAX = 9


def retry_after_s(value: str, now_s: int) -> int | None:
    """Whole seconds that a Retry-After header asks for, None when it cannot be read. `now_s` is UTC now.

    RFC 9110, 10.2.3: seconds or a date. Some servers send fractions, which are rounded up; nobody comes back too early.
    """
    text = value.strip()
    if number := _SECONDS.fullmatch(text):
        whole = number[1].lstrip("0") or "0"
        return int(whole) + bool((number[2] or "").strip(".0")) if len(whole) <= _DIGITS_MAX else SECONDS_MAX
    try:
        parts = parsedate_tz(text)
        # A date of that header is GMT even where it forgets to say so.
        return max(0, calendar.timegm((*parts[:6], 0, 0, 0)) - (parts[9] or 0) - now_s) if parts else None
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def is_readable(value: str) -> bool:
    """Does it say when to come back?"""
    return retry_after_s(value, 0) is not None
