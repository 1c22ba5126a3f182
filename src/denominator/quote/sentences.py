"""Sentences of a text, as far as a tag reaches. A tag behind the full stop belongs to the sentence before it."""

from __future__ import annotations

import re

from denominator.quote.plain import BREAK
from denominator.quote.tags import tags_in

END = re.compile(rf"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9ÄÖÜ\[])|(?<=[。！？])|{BREAK}")
SHORT = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|approx|ca|fig|tab|no|resp|incl|etc|al|bzw|z\.B|Dr|Mr|Ms|pp|p\.p|c\.i))\.$", re.IGNORECASE
)
REST = re.compile(r"[\s\[\](){}.,;:!?\x1e\-–—*]*")


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of each sentence, in order; together they cover the text."""
    ends = [
        one
        for one in END.finditer(text)
        if one[0] == BREAK or not SHORT.search(text[max(0, one.start() - 12) : one.start()])
    ]
    found: list[tuple[int, int]] = []
    start = 0
    for stop in [*(one.end() for one in ends), len(text)]:
        found.append((start, stop))
        start = stop
    return tuple(_joined(text, found))


def _joined(text: str, parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sentences that begin with nothing but tags give these to the sentence before."""
    made: list[tuple[int, int]] = []
    for start, end in parts:
        lead = _leading_tags(text, start, end)
        if made and lead > start and text[made[-1][1] - 1] != BREAK:
            made[-1] = (made[-1][0], lead)
            start = lead
        if end > start:
            made.append((start, end))
    return made


def _leading_tags(text: str, start: int, end: int) -> int:
    """Where the text behind the tags at its beginning starts; `start` where it begins with none."""
    at = start
    for tag in tags_in(text[start:end]):
        gap = text[at : start + tag.start]
        if not REST.fullmatch(gap):
            break
        at = start + tag.end
    return at + len(REST.match(text[at:end])[0]) if at > start else start  # type: ignore[index]
