"""Bytes of a page: how many a text takes as markup, and how to cut it to fewer."""

from __future__ import annotations

from denominator.publish.drawings.frame import shown

OF_A_LINE = 12
"""A line of a change may get an element of its own."""


def size(markup: str) -> int:
    """Bytes as written."""
    return len(markup.encode("utf-8", "replace"))


def cut_text(words: str, room: int, side: str = "end") -> tuple[str, int]:
    """As much of a text as its markup has room for, cut at its end or at its start; and how many bytes are gone."""
    if len(words) * OF_A_LINE <= room:
        return words, 0
    ordered = words if side == "end" else words[::-1]
    spent = 0
    for at, char in enumerate(ordered):
        spent += OF_A_LINE if char == "\n" else 1 if char == "\t" else size(shown(char))
        if spent > room:
            kept, lost = ordered[:at], ordered[at:]
            return (kept if side == "end" else kept[::-1]), size(lost)
    return words, 0
