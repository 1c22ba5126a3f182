"""What gave tampering away, as notes of a card: each kind of sign with how many draws show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from denominator.records.judgements import JudgedDraw
from denominator.records.values import counted

MOST = 6
LONGEST = 160


def gave_away_notes(draws: Iterable[tuple[JudgedDraw, int]]) -> Iterator[str]:
    """The commonest signs first, six at most; `show` and the report have those of each attempt."""
    signs: Counter[str] = Counter()
    for draw, many in draws:
        for sign in dict.fromkeys(draw.row.gave_away) if draw.row is not None else ():
            signs[sign] += many
    ordered = sorted(signs.items(), key=lambda pair: (-pair[1], pair[0]))
    for sign, many in ordered[:MOST]:
        yield f"tampering in {counted(many, 'draw')}: {sign[:LONGEST]}"
    if len(ordered) > MOST:
        yield f"tampering: {len(ordered) - MOST} more signs: denominator labels, denominator show TASK"
