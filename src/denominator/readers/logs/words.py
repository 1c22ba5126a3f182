"""Known texts in what an agent or its tests printed: for people to read beside a row. No rule reads them."""

from __future__ import annotations

from collections.abc import Iterator

from denominator.readers.logs.frames import HEAD, Piece
from denominator.readers.logs.match import EVERYWHERE, Matcher
from denominator.readers.logs.shape import Hit

HEARD_BYTES = 4 << 20
"""Words are looked for in the first part of a log only: they are no evidence, so nothing depends on the rest."""
MOST_WORDS = 24
SPOKEN = frozenset((("agent", "out"), ("agent", "err"), ("verify", "out")))


def heard(start: bytes, matcher: Matcher) -> tuple[Hit, ...]:
    """The earliest known texts, each signature once a stream, in the first bytes of a log."""
    found: list[Hit] = []
    said: set[tuple[str, str, str]] = set()
    for piece in _spoken(start):
        for hit in sorted(matcher.hits(piece, (), EVERYWHERE)):
            if (hit.signature, hit.phase, hit.stream) not in said and len(found) < MOST_WORDS:
                said.add((hit.signature, hit.phase, hit.stream))
                found.append(hit)
    return tuple(found)


def _spoken(start: bytes) -> Iterator[Piece]:
    """The lines of the agent's and its tests' streams; a line without a head goes on with the stream before it."""
    stream, offset = ("agent", "out"), 0
    for line in start.split(b"\n"):
        head = HEAD.match(line)
        if head is not None:
            groups = [one.decode() for one in head.groups()[4:6]]
            stream = (groups[0], groups[1])
        text = head.end() if head is not None else 0
        if stream in SPOKEN:
            yield Piece(*stream, offset=offset + text, at_ms=-1, text=line[text:], whole=True)
        offset += len(line) + 1
