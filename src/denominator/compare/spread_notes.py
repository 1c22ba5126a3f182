"""Harness notes of a spread: what limits, retries, slow attempts and cold starts did to the attempts of one arm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from denominator.records.conditions import condition
from denominator.records.judgements import Sheet
from denominator.records.rows import AttemptRow
from denominator.records.spreads import HarnessNotes, Number, SlowTask
from denominator.records.values import NotMeasured, counted
from denominator.records.words import FailureClass
from denominator.stats import decimal6, quantile_type7
from denominator.stats.quantiles import MEDIAN

SLOW = 3
"""Times the task's median: a convention."""
DECLARED = (
    "temperature",
    "on_timeout",
    "retry_policy",
    "tool_timeout_s",
    "wall_cap_s",
    "working_cap_s",
    "verify_timeout_s",
    "budget_tokens_per_task",
)
LIMITS = ("kernel_oom", "harness_stop", "verify_timeout")


def harness_notes(sheet: Sheet) -> HarnessNotes:
    """Counted over all tries of the solvable slice."""
    draws = sheet.of_slice("solvable")
    rows = [row for draw in draws for row in draw.tries]
    told = {draw.row.key for draw in draws if draw.row is not None and draw.failure_class == FailureClass.TIMEOUT}
    cut = [_clipped(row) or row.key in told for row in rows]
    clipped = sum(cut)
    unknown = sum(not was and not _end_known(row) for was, row in zip(cut, rows, strict=True))
    retries = [row.provider_retries for row in rows]
    counts = [count for count in retries if isinstance(count, int)]
    return HarnessNotes(
        attempts=len(rows),
        clipped=clipped,
        clipped_unknown=unknown,
        clipped_share=_share(clipped, unknown, len(rows)),
        walls=sum(isinstance(row.wall_ms, int) for row in rows),
        slow=tuple(_slow(rows)),
        extra_attempts=sum(max(0, len(draw.tries) - 1) for draw in draws),
        retried_draws=sum(len(draw.tries) > 1 for draw in draws),
        provider_retries=_provider(counts, len(rows)),
        retries_declared=sheet.terms.retry_declared,
        cold=sum(row.cold_start is True for row in rows),
        cold_unknown=sum(isinstance(row.cold_start, NotMeasured) for row in rows),
        declared=tuple((name, _said(sheet, name)) for name in DECLARED),
    )


def _provider(counts: Sequence[int], rows: int) -> int | NotMeasured:
    missing = rows - len(counts)
    return (
        NotMeasured(f"not recorded for {missing} of {counted(rows, 'attempt')}") if missing or not rows else sum(counts)
    )


def _share(clipped: int, unknown: int, rows: int) -> Number:
    if not rows:
        return NotMeasured("there is no attempt")
    if unknown:
        return NotMeasured(f"what ended {unknown} of {counted(rows, 'attempt')} was not recorded")
    return decimal6(Fraction(clipped, rows))


def _clipped(row: AttemptRow) -> bool:
    """Did a limit end it, the agent's own or another's?"""
    killed = row.killed_by if isinstance(row.killed_by, str) else ""
    return (
        row.stop_reason in ("timeout", "budget")
        or killed.startswith("budget_")
        or killed in LIMITS
        or row.after_cap is True
        or row.run_cap_cut
    )


def _end_known(row: AttemptRow) -> bool:
    return isinstance(row.killed_by, str) or isinstance(row.stop_reason, str)


def _slow(rows: Iterable[AttemptRow]) -> Iterable[SlowTask]:
    """Tasks with walls over three times their own median, sorted; with fewer than three walls nothing stands out."""
    walls: dict[str, list[int]] = {}
    for row in rows:
        if isinstance(row.wall_ms, int):
            walls.setdefault(row.key.task_id, []).append(row.wall_ms)
    for task, found in sorted(walls.items()):
        median = quantile_type7(found, MEDIAN)
        if isinstance(median, NotMeasured) or median <= 0:
            continue
        over = Counter(wall > SLOW * median for wall in found)[True]
        if over:
            yield SlowTask(task_id=task, attempts=over, median_ms=decimal6(median))


def _said(sheet: Sheet, name: str) -> Number:
    """A sealed or declared condition; `on_timeout` is also a field of its own."""
    found = condition(sheet.terms.conditions, name)
    if isinstance(found, NotMeasured) and name == "on_timeout" and sheet.terms.on_timeout:
        return sheet.terms.on_timeout
    return found
