"""Flips between a run and its replay: passes that are none the second time, or the other way round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from denominator.records.judgements import SCORED, JudgedDraw, Sheet
from denominator.records.keys import DrawKey
from denominator.records.replays import HIDDEN, NO_TIME, Replay
from denominator.records.values import NotMeasured, counted
from denominator.stats import Interval, decimal6, repeat_mean, wilson

NO_DRAW = NotMeasured("no solvable draw was declared in both")
Times = tuple[str | NotMeasured, str | NotMeasured]
ONE_REPEAT = "Wilson score interval over tasks"
SEVERAL = "mean of task means; Wilson on effective draws, t-adjusted"


def replay_of(
    first: Sheet,
    again: Sheet,
    *,
    run_id: str,
    hours: int | NotMeasured,
    early_why: str = "",
    times: Times = (NO_TIME, NO_TIME),
) -> Replay:
    """The flips of the solvable slice, draw by draw (repeat k against repeat k, which has the same seed).

    `times` are the last ending of the first and the first start of the other.

    A draw without a verdict on one side is no flip and no agreement: while there is one, there are bounds and no rate.
    """
    before, after = _passes(first), _passes(again)
    both = {draw: (before[draw], after[draw]) for draw in sorted(before.keys() & after.keys())}
    flips = [draw for draw, (a, b) in both.items() if a is not None and b is not None and a != b]
    unknown = sum(a is None or b is None for a, b in both.values())
    rate, interval, method = _rate(both, flips, unknown)
    n = len(both)
    return Replay(
        run_id=run_id,
        hours=hours,
        draws=n,
        flips=len(flips),
        unknown=unknown,
        rate=rate if isinstance(rate, NotMeasured) else decimal6(rate),
        lo=interval if isinstance(interval, NotMeasured) else decimal6(interval.lo),
        hi=interval if isinstance(interval, NotMeasured) else decimal6(interval.hi),
        lo_bound=decimal6(Fraction(len(flips), n)) if n else NO_DRAW,
        hi_bound=decimal6(Fraction(len(flips) + unknown, n)) if n else NO_DRAW,
        method=method,
        flipped=tuple(_name(draw) for draw in flips),
        early_why=early_why,
        ended_at=times[0],
        began_at=times[1],
    )


def hidden_flips(found: Replay) -> Replay:
    """The same replay without a count: its own number may not be printed, nor what tells it."""
    return replace(
        found, flips=0, flipped=(), unknown=found.draws, rate=HIDDEN, lo=HIDDEN, hi=HIDDEN,
        lo_bound=HIDDEN, hi_bound=HIDDEN, method="",
    )  # fmt: skip


def missing_draws(first: Sheet, again: Sheet) -> tuple[str, ...]:
    """Solvable draws that only one of the two declares: then it is no replay of it."""
    return tuple(_name(draw) for draw in sorted(_passes(first).keys() ^ _passes(again).keys()))


def _passes(sheet: Sheet) -> Mapping[DrawKey, bool | None]:
    """Did the draw pass; None where nothing decided."""
    return {one.draw: _passed(one) for one in sheet.of_slice("solvable")}


def _passed(one: JudgedDraw) -> bool | None:
    return one.exit == "pass" if one.exit in SCORED else None


def _rate(
    both: Mapping[DrawKey, object], flips: list[DrawKey], unknown: int
) -> tuple[Fraction | NotMeasured, Interval | NotMeasured, str]:
    if not both:
        return NO_DRAW, NO_DRAW, ""
    if unknown:
        why = NotMeasured(f"{counted(unknown, 'draw has', 'draws have')} no verdict on one side")
        return why, why, ""
    per_task: dict[str, list[bool]] = {}
    flipped = frozenset(flips)
    for draw in both:
        per_task.setdefault(draw.task_id, []).append(draw in flipped)
    rate = Fraction(len(flips), len(both))
    sizes = {len(found) for found in per_task.values()}
    if sizes == {1}:
        return rate, wilson(len(flips), len(both)), ONE_REPEAT
    if len(sizes) > 1 or len(per_task) < 2:
        return rate, NotMeasured("repeats are uneven or there is only one task"), ""
    return rate, repeat_mean([sum(one) for one in per_task.values()], sizes.pop()).interval, SEVERAL


def _name(draw: DrawKey) -> str:
    return draw.task_id if draw.repeat == 1 else f"{draw.task_id} r{draw.repeat}"
