"""How the windows of a probe lie to each other: two hours from start to start by both clocks, or why that is not shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from denominator.probe.histogram import invalid, why_withheld
from denominator.records.probe_results import Scored, WindowLine
from denominator.records.probes import WINDOW_GAP_S, Window

NS = 10**9
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def window_lines(
    windows: Sequence[Window], attempts: Iterable[Scored], warmups: Mapping[int, int], ceiling: str
) -> tuple[WindowLine, ...]:
    """Every window as it went, by number."""
    given, lines = tuple(attempts), []
    ordered = sorted(windows, key=lambda one: one.number)
    for place, window in enumerate(ordered):
        here = [one for one in given if one.window == window.number]
        why = next((text for one in ordered[:place] if (text := dependence(one, window))), "")
        lines.append(
            WindowLine(
                number=window.number,
                started_at=window.started_at,
                ended_at=window.ended_at,
                asked=len(here),
                answered=sum(isinstance(one.status, int) for one in here),
                independent=not why,
                why=why,
                invalid=len(invalid(here)),
                withheld=why_withheld(here, ceiling),
                warmups=warmups.get(window.number, 0),
            )
        )
    return tuple(lines)


def dependence(first: Window, second: Window) -> str:
    """Why the second window is not shown to be independent of the first; "" where both clocks show it."""
    of = f"window {first.number}"
    wall = apart_s(first.started_at, second.started_at)
    if wall is None:
        return f"the wall clock does not show how far it starts from {of}"
    if wall < WINDOW_GAP_S:
        return f"it starts {spell(wall)} after {of} by the wall clock, not {spell(WINDOW_GAP_S)}"
    if not first.boot_id or first.boot_id != second.boot_id:
        return f"the machine was started anew since {of}, so the monotonic clock does not show how far apart they start"
    mono = (second.mono_ns - first.mono_ns) // NS
    if mono < WINDOW_GAP_S:
        return f"it starts {spell(mono)} after {of} by the monotonic clock, not {spell(WINDOW_GAP_S)}"
    return ""


def apart_s(first: str, second: str) -> int | None:
    """Whole seconds from one ISO 8601 time to another, negative when it lies before; None where one is no time."""
    try:
        a, b = (datetime.fromisoformat(one) for one in (first, second))
    except ValueError:
        return None
    a, b = (one if one.tzinfo else one.replace(tzinfo=UTC) for one in (a, b))
    return int((b - a).total_seconds() // 1)


def spell(seconds: int) -> str:
    """ "2 h 10 min": two units, rounded down; what lies before reads "minus 3 min"."""
    if seconds < 0:
        return f"minus {spell(-seconds)}"
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, rest = divmod(rest, 60)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (rest, "s")]
    start = next((place for place, (number, _) in enumerate(parts) if number), len(parts) - 1)
    return " ".join(f"{number} {unit}" for number, unit in parts[start : start + 2] if number or start == 3)


def number_word(number: int) -> str:
    """ "two"; from eleven on in digits."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)
