"""The p95 of a whole answer stays under the timeout of the job that waits for it.

Why it matters: a job whose timeout lies below the tail fails one run in twenty for no reason that anybody can read.

Bad: p50 4 s, timeout 30 s, p95 never looked at. Good: p95 12 s by nearest rank, the censored counted as slower than all.
Fix: a longer timeout, shorter answers, or another endpoint. Below 59 answers p95 is a range check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from denominator.catalog import Entry
from denominator.gate.probing.reading import DECLARE, telling
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block, note, unknown
from denominator.records.probe_results import ProbeScore, Scored
from denominator.records.probe_words import PRECEDENCE, Cls
from denominator.records.values import NotMeasured
from denominator.stats import nearest_rank

P95 = Fraction(95, 100)
RANGE_CHECK = 59
"""Least number of values whose largest is above the p95 of what they are drawn from, with a chance of 95 % (0.95^n)."""
NEVER = 2**62
"""Stands for a time that nobody saw the end of."""
SLOW = (Cls.TIMEOUT, Cls.STREAM_HANG)
WHOLE = PRECEDENCE.index(Cls.TRUNCATION_AMBIGUITY)
"""From this class on an answer came whole. A quick refusal would make the others look quick."""


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """p95 of total time over answers and over those that never ended, window by window."""
    limit = score.use.job_timeout_ms
    if isinstance(limit, NotMeasured):
        yield block("job_timeout_ms", "the timeout of the job that waits is not declared", DECLARE)
        return
    for number in sorted({one.window for one in score.attempts}):
        yield from _window(number, [one for one in telling(score) if one.window == number], limit)


def is_whole(one: Scored) -> bool:
    """Did a good request get a whole answer?"""
    return PRECEDENCE.index(Cls(one.cls)) >= WHOLE


def _window(number: int, made: Sequence[Scored], limit_ms: int) -> Iterable[Said]:
    times = [NEVER if one.cls in SLOW else one.total_us for one in made if one.cls in SLOW or is_whole(one)]
    known = sorted(one for one in times if isinstance(one, int))
    found = nearest_rank(known, P95)
    where = f"window {number}"
    if isinstance(found, NotMeasured):
        yield unknown("latency", f"{where}: no answer has a time", "run the window again")
    elif found >= limit_ms * 1000:
        shown = "an answer that never ended" if found == NEVER else f"{found // 1000} ms"
        yield block(
            "latency",
            f"{where}: p95 is {shown}, not under the job's {limit_ms} ms",
            "a longer timeout, or shorter answers",
        )
    elif len(known) < RANGE_CHECK:
        yield note("latency", f"{where}: p95 of {len(known)} answers is a range check, no promise")


RULE = ProbeRule(
    Entry("GL097", "slow-for-the-job", "0.1.0", "gate", __doc__ or ""),
    check,
    "p95 lies under the job's timeout",
    Level.CI,
)
