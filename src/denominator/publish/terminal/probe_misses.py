"""The attempts of a probe that did not pass: those that ended alike in one line, by group and case."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.publish.terminal.page import GREEN, Page
from denominator.publish.terminal.probe_table import word
from denominator.records.probe_results import Scored
from denominator.records.probe_words import Cls, Group

MOST = 30
TITLE = "MISSES: case, way of asking, window.attempt ..., class and reason"
GROUPS = tuple(Group)


def misses(page: Page, attempts: Iterable[Scored], *, every: bool = False, left_out: str = "") -> None:
    """Every miss, folded; past a limit how many more, unless `every` line is wanted. `left_out`: what is not listed."""
    alike = _alike(one for one in attempts if one.cls != Cls.PASS)
    page.title(TITLE)
    for found in alike if every else alike[:MOST]:
        page.item(miss_line(found), hang=4)
    if len(alike) > MOST and not every:
        page.item(f"and {len(alike) - MOST} more lines: --all shows them")
    if left_out:
        page.item(left_out)
    elif not alike:
        page.item("none", paint=GREEN)


def _alike(missed: Iterable[Scored]) -> list[list[Scored]]:
    """Attempts of one case and way of asking that ended in the same words, in order."""
    found: dict[tuple[object, ...], list[Scored]] = {}
    for one in sorted(missed, key=lambda one: (_place(one), one.case_id, one.mode, one.window, one.attempt)):
        found.setdefault((one.case_id, one.mode, _what(one)), []).append(one)
    return list(found.values())


def _place(one: Scored) -> int:
    return GROUPS.index(Group(one.group))


def miss_line(alike: list[Scored]) -> str:
    """Which attempts (window.attempt), and how they ended."""
    first = alike[0]
    which = ", ".join(f"{one.window}.{one.attempt}" for one in alike)
    return f"{first.case_id} {first.mode} {which}: {_what(first)}"


def _what(one: Scored) -> str:
    what = word(one.cls, one.reason) + (f": {one.note}" if one.note else "")
    also = f"; also {', '.join(one.also)}" if one.also else ""
    return f"{what}{also}" + (f"; {', '.join(one.flags)}" if one.flags else "")
