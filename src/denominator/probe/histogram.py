"""How the attempts of each group and window ended: k of n, every attempt in one line. No line is over two groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from fractions import Fraction

from denominator.probe.attempts import class_place, group_place
from denominator.records.probe_results import Line, Scored
from denominator.records.probe_words import INVALID


def histogram(attempts: Iterable[Scored], withheld: Collection[int] = ()) -> tuple[Line, ...]:
    """Lines by window, group and class. Of a withheld window only invalid attempts are told."""
    ends = Counter((one.window, one.group, one.cls, one.reason) for one in attempts)
    asked: Counter[tuple[int, str]] = Counter()
    for (window, group, _, _), k in ends.items():
        asked[window, group] += k
    lines = [
        Line(window=window, group=group, cls=cls, reason=reason, k=k, n=asked[window, group])
        for (window, group, cls, reason), k in ends.items()
        if window not in withheld or (cls, reason) in INVALID
    ]
    return tuple(sorted(lines, key=lambda one: (one.window, group_place(one.group), class_place(one.cls, one.reason))))


def invalid(attempts: Iterable[Scored]) -> tuple[Scored, ...]:
    """Attempts that say nothing of the endpoint's promises: nobody was reached, or a quota answered."""
    return tuple(one for one in attempts if (one.cls, one.reason) in INVALID)


def why_withheld(attempts: Iterable[Scored], ceiling: str) -> str:
    """Why the passes of a window are not counted, from its attempts; "" where they are."""
    of_window = tuple(attempts)
    lost = invalid(of_window)
    if Fraction(len(lost), max(1, len(of_window))) <= Fraction(ceiling):
        return ""
    reasons = Counter(one.reason for one in lost)
    told = ", ".join(f"{k} {reason}" for reason, k in sorted(reasons.items()))
    return f"{len(lost)} of {len(of_window)} attempts are invalid ({told}), above the ceiling of {ceiling}"
