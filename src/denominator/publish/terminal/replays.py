"""A replay in words: how many draws flipped, of how many, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from denominator.records.replays import HIDDEN, Replay
from denominator.records.values import NotMeasured, counted

DAY = 24
SHOWN = 20


def replay_lines(found: Replay, ceiling: str = "") -> Iterator[str]:
    """The flips first, then the time between, what is not known, and what flips above their ceiling (a share) mean."""
    if found.rate == HIDDEN:
        yield f"replay {found.run_id}: its flips are not told: {HIDDEN.not_measured}"
        yield _when(found)
        return
    yield f"replay {found.run_id}: {found.flips} of {counted(found.draws, 'draw')} flipped{_interval(found)}"
    if found.flipped:
        more = f" and {len(found.flipped) - SHOWN} more" if len(found.flipped) > SHOWN else ""
        yield f"flipped: {', '.join(found.flipped[:SHOWN])}{more}"
    if found.unknown:
        unknown = counted(found.unknown, "draw has", "draws have")
        yield (f"{unknown} no verdict on one side: the share of flips is between {found.lo_bound} and {found.hi_bound}")
    yield _when(found)
    least = found.rate if isinstance(found.rate, str) else found.lo_bound
    if ceiling and isinstance(least, str) and Fraction(least) > Fraction(ceiling):
        yield f"above the ceiling {ceiling}: of the run an interval only; raise the repeats before anything is compared"


def replay_line(found: Replay) -> str:
    """One replay in one line, for the card of the run that it repeats."""
    if found.rate == HIDDEN:
        return f"{found.run_id}: its flips are not told: {HIDDEN.not_measured}; {_when(found)}"
    lost = f"; {found.unknown} without a verdict on one side" if found.unknown else ""
    return f"{found.run_id}: {found.flips} of {counted(found.draws, 'draw')} flipped{_interval(found)}{lost}; {_when(found)}"


def _interval(found: Replay) -> str:
    if isinstance(found.rate, NotMeasured):
        return ""
    if isinstance(found.lo, NotMeasured):
        return f": {found.rate} (no interval: {found.lo.not_measured})"
    return f": {found.rate} (95 % interval {found.lo} to {found.hi}; {found.method})"


def _when(found: Replay) -> str:
    return f"{_passed(found)}{_dates(found)}"


def _passed(found: Replay) -> str:
    if isinstance(found.hours, NotMeasured):
        return f"time between the two: {found.hours}"
    if found.hours < DAY:
        why = found.early_why or "no reason was declared"
        return f"{found.hours} h after the run, not a day: {why}"
    return f"{found.hours} h after the run"


def _dates(found: Replay) -> str:
    """Those of the two times that are known."""
    known = (("the run ended", found.ended_at), ("the replay began", found.began_at))
    told = ", ".join(f"{words} {time}" for words, time in known if not isinstance(time, NotMeasured))
    return f" ({told})" if told else ""
