"""The usage of an attempt from its calls."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.records.rows import CallRow, Count, Usage
from denominator.records.values import NotMeasured

_PARTS = ("prompt", "completion", "cached_read", "cache_write", "reasoning")


def sum_usage(calls: Sequence[CallRow]) -> Usage:
    """Sums over the calls that reached a provider.

    Calls that the relay refused itself cost nothing. So does one that the provider answered with 4xx and no word of
    tokens. Every other call without usage (an open intent, 5xx, a cut stream) is spend unknown: then the sum is not
    measured and `complete` is false.
    """
    spent = [call for call in calls if not is_free(call)]
    unknown = [call.seq for call in spent if not _counted(call)]
    reason = NotMeasured(f"usage unknown for call {', '.join(map(str, unknown[:5]))}") if unknown else None
    sums = {part: _sum(spent, part) if reason is None else reason for part in _PARTS}
    return Usage(
        prompt=sums["prompt"],
        completion=sums["completion"],
        cached_read=sums["cached_read"],
        cache_write=sums["cache_write"],
        reasoning=sums["reasoning"],
        calls=sum(1 for call in calls if call.sent is not False),
        complete=not unknown,
    )


def is_free(call: CallRow) -> bool:
    """Is it known that a call cost nothing?"""
    if call.sent is False or call.purpose == "listing":
        return True
    return isinstance(call.status, int) and 400 <= call.status < 500 and not _counted(call)


def _counted(call: CallRow) -> bool:
    return isinstance(call.usage.prompt, int) and isinstance(call.usage.completion, int)


def _sum(calls: Sequence[CallRow], part: str) -> Count:
    total = 0
    for call in calls:
        value: Count = getattr(call.usage, part)
        if isinstance(value, NotMeasured):
            return NotMeasured(f"call {call.seq}: {value.not_measured}")
        total += value
    return total
