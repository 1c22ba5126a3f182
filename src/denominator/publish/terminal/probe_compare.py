"""Probes side by side as a page: conditions that differ, or counts in the order in which the probes were named."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.publish.limits import limit_lines
from denominator.publish.probe_told import told_across
from denominator.publish.terminal.page import RED, Page
from denominator.publish.terminal.probe import window_line
from denominator.publish.terminal.probe_table import across_lines, count, milliseconds, table, word
from denominator.records.probe_compared import Cell, ProbeComparison
from denominator.records.values import NotMeasured


def comparison_page(page: Page, found: ProbeComparison) -> None:
    """The whole page. Where conditions differ it holds no count."""
    if found.differences:
        page.item("NOT COMPARABLE: no count is set beside another", 0, paint=RED)
    else:
        page.item("SAME CONDITIONS: counts side by side, in the order in which the probes were named", 0)
    if shared := found.conditions:
        page.item(
            f"fixture {shared['fixture'][:12]}, client {shared['client']}, classifier {shared['classifier']}, "
            f"{shared['path']}, {shared['attempts']} attempts of a case in a window",
            0,
        )
    for letter, side in zip(letters(found), found.sides, strict=True):
        page.item(f"{letter}  {side.name}: {side.model} at {side.url}, seal {side.seal_sha256[:12]}", 0, 3)
        if len({one.cap_field for one in found.sides}) > 1:
            page.item(f"the output cap is asked for as {side.cap_field}", 3)
        for window in side.windows:
            page.item(window_line(window), 3)
    for one in found.differences:
        page.title(f"{one.field}: {one.why}")
        for letter, value in zip(letters(found), one.values, strict=True):
            page.item(f"{letter}  {value}", hang=3)
    if not found.differences:
        _counts(page, found)
        _times(page, found)
        _said(page, found)
    page.bullets("MAY NOT BE WRITTEN", found.may_not)
    page.bullets("LIMITS", limit_lines("M7"))


def letters(found: ProbeComparison) -> list[str]:
    """A, B, C ...: a name for a column; from the 27th on numbers."""
    return [chr(65 + place) if place < 26 else str(place + 1) for place in range(len(found.sides))]


def _counts(page: Page, found: ProbeComparison) -> None:
    heads = [
        f"{letter}{one.number}"
        for letter, side in zip(letters(found), found.sides, strict=True)
        for one in side.windows
    ]
    page.title("BY GROUP: k/n attempts ended so, in each window of each probe")
    table(page, heads, [(f"{one.group:<12} {word(one.cls, one.reason)}", _cells(one.cells)) for one in found.lines])
    if found.flags:
        page.title("FLAGS (they break no promise): k/n attempts")
        table(page, heads, [(f"{one.group:<12} {one.flag}", _cells(one.cells)) for one in found.flags])


def _cells(cells: Sequence[Sequence[Cell]]) -> list[str]:
    return [count(cell.k, cell.n) if cell.n else "none asked" for of_side in cells for cell in of_side]


def _times(page: Page, found: ProbeComparison) -> None:
    if not found.latency:
        return
    page.title("TIMES of completed exchanges, milliseconds: p50 / p95 / max (n, censored)")
    for line in found.latency:
        page.item(f"window {line.window} {line.mode} {line.of.replace('_', ' ')}")
        for letter, one in zip(letters(found), line.cells, strict=True):
            if isinstance(one, NotMeasured):
                page.item(f"{letter}  {one.not_measured}", 4)
            else:
                times = " / ".join(map(milliseconds, (one.p50, one.p95, one.max)))
                page.item(f"{letter}  {times} ({one.n}, {one.censored}), {one.kind.replace('_', ' ')}", 4, 3)
    noted: dict[str, list[str]] = {}
    for line in found.latency:
        for letter, one in zip(letters(found), line.cells, strict=True):
            for note in () if isinstance(one, NotMeasured) else one.note.split("; "):
                noted.setdefault(note, []).append(letter)
    for note, whose in noted.items():
        page.item(f"{', '.join(dict.fromkeys(whose))}: {note}", 2, 3)


def _said(page: Page, found: ProbeComparison) -> None:
    """What each probe says by itself beside the counts: findings over attempts, notes. `probe show` has its sentences."""
    for letter, side in zip(letters(found), found.sides, strict=True):
        held = {one.number for one in side.windows if one.withheld}
        across = across_lines(one for one in side.across if told_across(one, held))
        page.bullets(f"{letter} BY ITSELF", (*across, *side.notes))
