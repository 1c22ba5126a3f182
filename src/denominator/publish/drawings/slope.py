"""How tasks move between two arms, as SVG: a line for each pair of counts, thicker for more tasks, dashed where it falls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from denominator.publish.drawings.frame import CHAR, framed, line, text
from denominator.publish.terminal.plots import Sloped
from denominator.records.values import counted

TOP = 56
SPAN = 240
WIDE = 320
THICK = 8
AT = {1: Fraction(1, 5), 0: Fraction(1, 2), -1: Fraction(4, 5)}
"""Where along its line the number of tasks stands, by direction, so that crossing lines keep theirs apart."""


def slope_svg(rows: Sequence[Sloped], repeats: int, names: tuple[str, str], title: str) -> str:
    """Passes out of `repeats` in the first arm on the left, in the second on the right; the number of tasks on its line."""
    left = max(60, len(names[0]) * CHAR + 16)
    right = left + WIDE
    counts = Counter((row.a, row.b) for row in rows)
    body = [text(8, 20, title), text(left, TOP - 14, names[0], "soft", "end"), text(right, TOP - 14, names[1], "soft")]
    for count in range(repeats + 1):
        y = _y(count, repeats)
        body += [
            text(left - 10, y + 4, f"{count}/{repeats}", "soft", "end"),
            text(right + 10, y + 4, f"{count}/{repeats}", "soft"),
        ]
    body += [line(x, TOP, x, TOP + SPAN, "grid") for x in (left, right)]
    most = max(counts.values(), default=1)
    for (a, b), count in sorted(counts.items()):
        body.append(_line(left, right, (_y(a, repeats), _y(b, repeats)), count, most, b - a))
    for (a, b), count in sorted(counts.items()):
        body.append(_number(left, (_y(a, repeats), _y(b, repeats)), count, b - a))
    y = TOP + SPAN + 30
    legend = [("up", f"more passes in {names[1]}"), ("down", f"fewer passes in {names[1]}"), ("flat", "as many")]
    for number, (kind, words) in enumerate(legend):
        body += [
            line(8, y + number * 18, 40, y + number * 18, kind, ' stroke-width="3"'),
            text(50, y + 4 + number * 18, words, "soft"),
        ]
    width = max(right + max(60, len(names[1]) * CHAR + 16), len(title) * CHAR + 32)
    return framed(title, _told(counts, repeats, names), width, y + 58, body)


def _y(count: int, repeats: int) -> int:
    return TOP + SPAN - (SPAN * count) // max(1, repeats)


def _line(left: int, right: int, ends: tuple[int, int], count: int, most: int, move: int) -> str:
    kind = "up" if move > 0 else "down" if move < 0 else "flat"
    thick = 2 + ((THICK - 2) * count) // most if move else 2
    return line(left, ends[0], right, ends[1], kind, f' stroke-width="{thick}"')


def _number(left: int, ends: tuple[int, int], count: int, move: int) -> str:
    share = AT[(move > 0) - (move < 0)]
    x, y = left + int(WIDE * share), ends[0] + int((ends[1] - ends[0]) * share)
    return text(x, y - 6, str(count), anchor="middle")


def _told(counts: Counter[tuple[int, int]], repeats: int, names: tuple[str, str]) -> str:
    moves = "; ".join(f"{counted(count, 'task')} from {a} to {b}" for (a, b), count in sorted(counts.items()))
    return f"Passes of {repeats} from {names[0]} to {names[1]}: {moves or 'no task'}."
