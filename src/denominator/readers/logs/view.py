"""Bytes of a log as a person reads them. What is stored stays exact: only this view leaves control codes out."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

ESCAPE = b"\x1b"
SEQUENCE = rb"\x1b(?:\[[0-?]{0,32}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,256}(?:\x07|\x1b\\)|[@-Z\\^_])?"
ESCAPES = re.compile(SEQUENCE)
OTHERS = bytes(code for code in (*range(0x20), 0x7F) if code not in b"\t\n\r\x1b")
CONTROL = re.compile(SEQUENCE + rb"|[" + re.escape(OTHERS) + rb"]")
QUOTE_CHARS = 300


@dataclass(frozen=True, slots=True)
class View:
    """Text without control codes, and how to find a place of it in the bytes."""

    text: bytes
    starts: tuple[int, ...] = ()
    gaps: tuple[int, ...] = ()

    def raw(self, place: int) -> int:
        """The place in the bytes of a place in the text."""
        if not self.starts:
            return place
        found = bisect_right(self.starts, place)
        return place + (self.gaps[found - 1] if found else 0)


def view_of(data: bytes) -> View:
    """The view; carriage returns stay, they end a piece of text like a line feed does."""
    if ESCAPE not in data and len(data.translate(None, OTHERS)) == len(data):
        return View(data)
    parts, starts, gaps, at, gap = [], [], [], 0, 0
    for found in CONTROL.finditer(data):
        parts.append(data[at : found.start()])
        at, gap = found.end(), gap + found.end() - found.start()
        starts.append(at - gap)
        gaps.append(gap)
    parts.append(data[at:])
    return View(b"".join(parts), tuple(starts), tuple(gaps))


def quoted(data: bytes) -> str:
    """Bytes as one short readable line: decoded with replacement, without control codes."""
    shown = " ".join(CONTROL.sub(b"", data).decode("utf-8", "replace").split())
    return shown if len(shown) <= QUOTE_CHARS else shown[: QUOTE_CHARS - 3] + "..."
