"""Tasks down, repeats across, as SVG: a pass is a filled square, a fail a hollow one, what else there is has its own shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from denominator.publish.drawings.frame import CHAR, column, framed, text
from denominator.records.values import counted

CELL = 16
GAP = 3
TOP = 52
WORDS = {"P": "pass", "F": "fail", "A": "abstain", "U": "unscoreable", "-": "never started"}


def heat_map_svg(rows: Sequence[tuple[str, Sequence[str]]], heads: Sequence[str], title: str) -> str:
    """`rows` are (task, a string of marks for each head); marks are P F A U and - as in `records.spreads`."""
    left = column(name for name, _ in rows)
    sizes = [max((len(blocks[at]) for _, blocks in rows), default=0) for at in range(len(heads))]
    starts = _starts(left, sizes, heads)
    body = [text(8, 20, title)]
    body += [text(start, TOP - 10, head, "soft") for start, head in zip(starts, heads, strict=True)]
    for number, (name, blocks) in enumerate(rows):
        y = TOP + number * (CELL + GAP)
        body.append(text(8, y + CELL - 4, name))
        for start, marks in zip(starts, blocks, strict=True):
            body += [_cell(mark, start + at * (CELL + GAP), y) for at, mark in enumerate(marks)]
    bottom = TOP + len(rows) * (CELL + GAP) + 12
    seen = [mark for mark in WORDS if any(mark in marks for _, blocks in rows for marks in blocks)]
    legend, wide = _legend(seen, bottom)
    end = starts[-1] + max(sizes[-1] * (CELL + GAP), len(heads[-1]) * CHAR) if heads else left
    width = max(end, wide, len(title) * CHAR + 16) + 16
    return framed(title, _told(rows, heads), width, bottom + CELL + 12, [*body, *legend])


def _starts(left: int, sizes: Sequence[int], heads: Sequence[str]) -> list[int]:
    """Where the block of each head begins."""
    starts = [left]
    for size, head in zip(sizes[:-1], heads[:-1], strict=True):
        starts.append(starts[-1] + max(size * (CELL + GAP), len(head) * CHAR) + 24)
    return starts


def _cell(mark: str, x: int, y: int) -> str:
    """One repeat as a shape of its own."""
    half, low, high = CELL // 2, 3, CELL - 3
    if mark == "P":
        return f'<rect class="pass" x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="2"/>'
    if mark == "F":
        return f'<rect class="fail" x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="2"/>'
    if mark == "A":
        return f'<circle class="odd" cx="{x + half}" cy="{y + half}" r="{half - 2}"/>'
    if mark == "U":
        cross = f"M{x + low} {y + low}L{x + high} {y + high}M{x + high} {y + low}L{x + low} {y + high}"
        return f'<path class="odd" d="{cross}"/>'
    return f'<path class="odd" d="M{x + low} {y + half}L{x + high} {y + half}"/>'


def _legend(seen: Sequence[str], y: int) -> tuple[list[str], int]:
    x, found = 8, []
    for mark in seen:
        found += [_cell(mark, x, y), text(x + CELL + 6, y + CELL - 4, WORDS[mark], "soft")]
        x += CELL + 6 + len(WORDS[mark]) * CHAR + 18
    return found, x


def _told(rows: Sequence[tuple[str, Sequence[str]]], heads: Sequence[str]) -> str:
    """The drawing in words: how many marks of each kind a head has."""
    parts = []
    for at, head in enumerate(heads):
        counts = Counter("".join(blocks[at] for _, blocks in rows))
        told = ", ".join(f"{counts[mark]} {word}" for mark, word in WORDS.items() if counts[mark])
        parts.append(f"{head}: {told or 'nothing'}")
    return f"{counted(len(rows), 'task')} down, repeats across. {'; '.join(parts)}."
