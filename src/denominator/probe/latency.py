"""How long completed exchanges took: p50, p95 and max by nearest rank, never without what did not complete.

An exchange that did not complete has no time: it is counted beside (`censored`), and no percentile is read without it.
One request after the other gives service time: a closed loop waits for a slow server, so it cannot show queueing. At a
fixed rate times count from when each request was due, so that a request that had to wait is not told shorter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from denominator.probe.attempts import Key, class_place, key_of, mode_place
from denominator.records.probe_results import Heard, Quantiles, Scored
from denominator.records.probes import Fixture, Terms
from denominator.records.rows import Count
from denominator.records.values import NotMeasured, counted
from denominator.stats.quantiles import MEDIAN, P95, least_n_for_upper, nearest_rank

RULE = "nearest rank: the ceil(q*n)-th smallest of n"
SERVICE, RESPONSE = "service_time", "response_time"
CLOSED = "one request after the other: a closed loop cannot show queueing"
OPEN = "from when each request was due, waiting included"
ENOUGH = least_n_for_upper(P95)
"""59: from here on the largest value is a bound of p95 at 95 %."""
LATE_US = 10_000
TOTAL = "total"
TIMES = ("first_byte", "first_content", TOTAL)


def latency(
    fixture: Fixture, terms: Terms, heard: Sequence[Heard], attempts: Iterable[Scored]
) -> tuple[Quantiles, ...]:
    """Lines by window and mode over good requests; a time that no exchange of them has is left out, but for the total."""
    classes = {(one.window, one.case_id, one.mode, one.attempt): one for one in attempts}
    good = [one for one in heard if not fixture.case(one.ask.case_id).control]
    lines = []
    for window, mode in sorted(
        {(one.window, one.ask.mode) for one in good}, key=lambda two: (two[0], mode_place(two[1]))
    ):
        here = [one for one in good if (one.window, one.ask.mode) == (window, mode)]
        lines += [line for of in TIMES if (line := _line(terms, classes, here, of)).n or of == TOTAL]
    return tuple(lines)


def _line(terms: Terms, classes: Mapping[Key, Scored], heard: Sequence[Heard], of: str) -> Quantiles:
    whole = [one for one in heard if one.complete]
    values = [value for one in whole if isinstance(value := getattr(one, f"{of}_us"), int)]
    n = len(values)
    none = NotMeasured("no exchange completed")
    ends: tuple[Count, Count, Count] = (none, none, none)
    if values:
        ends = nearest_rank(values, MEDIAN), nearest_rank(values, P95), max(values)
    return Quantiles(
        window=heard[0].window,
        mode=heard[0].ask.mode,
        of=of,
        kind=RESPONSE if terms.rate else SERVICE,
        n=n,
        censored=len(heard) - len(whole),
        p50=ends[0],
        p95=ends[1],
        max=ends[2],
        rule=RULE,
        note="; ".join(_notes(terms, classes, heard, n, len(whole))),
    )


def _notes(terms: Terms, classes: Mapping[Key, Scored], heard: Sequence[Heard], n: int, whole: int) -> Iterable[str]:
    yield OPEN if terms.rate else CLOSED
    late = sum(one.queued_us > LATE_US for one in heard)
    if terms.rate and late:
        yield f"{late} of {len(heard)} requests started more than {LATE_US // 1000} ms after they were due"
    if 0 < n < ENOUGH:
        yield f"p95 of {counted(n, 'value')} is a range check: from {ENOUGH} values on the largest bounds it"
    if n < whole:
        yield f"{whole - n} completed exchanges have no such time"
    lost = Counter((classes[key_of(one)].cls, classes[key_of(one)].reason) for one in heard if not one.complete)
    if lost:
        words = sorted(lost, key=lambda word: class_place(*word))
        told = ", ".join(f"{lost[word]} {word[0]} {word[1]}".rstrip() for word in words)
        yield f"{sum(lost.values())} of {len(heard)} did not complete and have no time: {told}"
