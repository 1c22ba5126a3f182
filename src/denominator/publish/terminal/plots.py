"""Drawings in plain text: a heat map of tasks and repeats, an interval forest, a paired slope. Pure: text lines out.

Every drawing reads without colour: a mark is a shape, and a legend names it. With `fancy` the shapes are Unicode, else
ASCII, for consoles that know nothing else. Names of tasks are never cut; control characters in them are shown as codes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from denominator.publish.terminal.page import GREEN, OFF, RED, YELLOW, visible
from denominator.records.values import NotMeasured, counted

MOST = 60
WIDEST = 30
MARKS = {
    "P": ("#", "■", GREEN, "pass"),
    "F": (".", "·", RED, "fail"),
    "A": ("o", "○", RED, "abstain"),
    "U": ("?", "?", YELLOW, "unscoreable"),
    "-": ("-", "-", YELLOW, "never started"),
}
BARS = {False: ("|", "-", "o", "|", "."), True: ("├", "─", "●", "┤", "·")}


@dataclass(frozen=True, slots=True)
class Ranged:
    """A labelled interval between 0 and 1, or between -1 and 1; without a value only the interval is drawn."""

    label: str
    value: str | NotMeasured
    lo: str
    hi: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sloped:
    """One task in two arms: passes out of the same repeats."""

    label: str
    a: int
    b: int


def heat_map(
    rows: Sequence[tuple[str, Sequence[str]]],
    heads: Sequence[str] = (),
    *,
    fancy: bool = False,
    color: bool = False,
    width: int = 80,
) -> list[str]:
    """Tasks down, repeats across: one cell a repeat, a block a head (an arm).

    Of more than 60 tasks only those with unlike marks are drawn, and a line says how many others there are.
    """
    drawn = [row for row in rows if len(set("".join(row[1]))) > 1] if len(rows) > MOST else list(rows)
    left = min(max((len(visible(name)) for name, _ in drawn), default=0), WIDEST)
    lines = [_heads(heads, drawn, left)] if len(heads) > 1 else []
    for name, blocks in drawn:
        lines += _cells(
            visible(name), ["".join(blocks)] if len(blocks) == 1 else list(blocks), left, fancy, color, width
        )
    lines += _undrawn(rows, drawn)
    seen = {mark for _, blocks in rows for mark in "".join(blocks)}
    legend = [f"{_glyph(mark, fancy, color)} {MARKS[mark][3]}" for mark in MARKS if mark in seen]
    return [line.rstrip() for line in [*lines, f"  {', '.join(legend)}"] if line.strip()]


def _heads(heads: Sequence[str], drawn: Sequence[tuple[str, Sequence[str]]], left: int) -> str:
    widths = [max((len(blocks[at]) for _, blocks in drawn), default=0) for at in range(len(heads))]
    cells = [f"{visible(head)[: max(size, 1)]:<{size}}" for head, size in zip(heads, widths, strict=True)]
    return f"  {'':<{left}}  {'  '.join(cells)}"


def _cells(name: str, blocks: Sequence[str], left: int, fancy: bool, color: bool, width: int) -> Iterable[str]:
    """A task's line; a long name and a long row of repeats get lines of their own."""
    start = name
    if len(name) > left:
        yield f"  {name}"
        start = ""
    room = max(8, width - left - 4)
    plain = "  ".join(blocks)
    for at in range(0, len(plain), room):
        cells = "".join(_glyph(mark, fancy, color) for mark in plain[at : at + room])
        yield f"  {start:<{left}}  {cells}"
        start = ""


def _undrawn(rows: Sequence[tuple[str, Sequence[str]]], drawn: Sequence[tuple[str, Sequence[str]]]) -> Iterable[str]:
    if len(drawn) == len(rows):
        return
    alike = Counter("".join(blocks)[:1] for _, blocks in rows if len(set("".join(blocks))) == 1)
    told = ", ".join(f"{count} {MARKS[mark][3]} every time" for mark, count in sorted(alike.items()) if mark in MARKS)
    yield f"  not drawn, alike in every repeat: {told}"


def _glyph(mark: str, fancy: bool, color: bool) -> str:
    if mark not in MARKS:
        return mark
    plain, shape, paint, _ = MARKS[mark]
    text = shape if fancy else plain
    return f"{paint}{text}{OFF}" if color else text


def forest(
    rows: Sequence[Ranged], *, fancy: bool = False, width: int = 80, least: int = 0, title: str = ""
) -> list[str]:
    """Intervals under each other on one axis from `least` (0 or -1) to 1, the value as a dot, the note at the end."""
    left = min(max((len(visible(row.label)) for row in rows), default=0), WIDEST)
    notes = max((len(row.note) for row in rows), default=0)
    room = max(20, width - left - notes - 6)
    lines = [f"  {visible(title)}"] if title else []
    for row in rows:
        name = visible(row.label)
        if len(name) > left:
            lines.append(f"  {name}")
            name = ""
        lines.append(f"  {name:<{left}}  {_bar(row, room, least, fancy)}  {row.note}".rstrip())
    return [*lines, f"  {'':<{left}}  {_axis(room, least)}"] if rows else lines


def _place(value: str, room: int, least: int) -> int:
    """The column of a decimal string, 0 to room - 1."""
    share = (Fraction(value) - least) / (1 - least)
    return min(room - 1, max(0, int(share * (room - 1) + Fraction(1, 2))))


def _bar(row: Ranged, room: int, least: int, fancy: bool) -> str:
    opening, line, dot, closing, zero = BARS[fancy]
    cells = [" "] * room
    if least < 0:
        cells[_place("0", room, least)] = zero
    lo, hi = _place(row.lo, room, least), _place(row.hi, room, least)
    cells[lo : hi + 1] = [line] * (hi - lo + 1)
    cells[lo], cells[hi] = opening, closing
    if isinstance(row.value, str):
        cells[_place(row.value, room, least)] = dot
    return "".join(cells)


def _axis(room: int, least: int) -> str:
    """Ticks of the axis by number, at their columns."""
    cells = [" "] * (room + 4)
    for tick in ("-1", "-0.5", "0", "0.5", "1") if least < 0 else ("0", "0.25", "0.5", "0.75", "1"):
        at = _place(tick, room, least)
        cells[at : at + len(tick)] = list(tick)
    return "".join(cells).rstrip()


def paired_slope(
    rows: Sequence[Sloped], repeats: int, names: tuple[str, str], *, fancy: bool = False, width: int = 80
) -> list[str]:
    """How tasks move from the first arm to the second: one line for each pair of counts, most movement first."""
    moves: dict[tuple[int, int], list[str]] = {}
    for row in rows:
        moves.setdefault((row.a, row.b), []).append(row.label)
    lines = [f"  {visible(names[0])} -> {visible(names[1])}, passes of {repeats}"]
    for (a, b), tasks in sorted(moves.items(), key=lambda item: (-abs(item[0][1] - item[0][0]), item[0])):
        if a != b:
            lines.append(f"  {a} -> {b}  {_shape(b - a, fancy)}  {_named(tasks, width - 20)}")
    same = sum(row.a == row.b for row in rows)
    return [*lines, f"  the same in both: {same} of {counted(len(rows), 'task')}"]


def _shape(move: int, fancy: bool) -> str:
    arrow = ("↗" if move > 0 else "↘") if fancy else ("/" if move > 0 else "\\")
    return f"{arrow} {move:+d}"


def _named(tasks: Sequence[str], room: int) -> str:
    """Task names as far as they fit, each whole, then how many more."""
    shown: list[str] = []
    for task in tasks:
        if shown and len(", ".join([*shown, visible(task)])) > room:
            return f"{', '.join(shown)} and {len(tasks) - len(shown)} more"
        shown.append(visible(task))
    return ", ".join(shown)
