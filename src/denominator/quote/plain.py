"""Text as it is searched: digits and signs of other scripts as ASCII, what nobody sees taken out, offsets kept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

BREAK = "\x1e"
"""A reader puts it where a sentence ends without a mark: a cell, a line break of markup."""
SIGNS = {
    "％": "%",
    "﹪": "%",
    "٪": "%",
    "⁄": "/",
    "∕": "/",
    "／": "/",
    "．": ".",
    "，": ",",
    "٫": ".",
    "−": "-",
    "－": "-",
    "＋": "+",
}
SIGNS |= {"＃": "#", "：": ":", "‑": "-", "‐": "-"}
URL = re.compile(r"\b(?:https?|ftp|file|mailto):[^\s<>\"')\]]+|\bwww\.[^\s<>\"')\]]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Plain:
    """`text` is searched; character i of it stands at `at[i]` of the original. `urls`: how many were blanked."""

    text: str
    at: Sequence[int]
    urls: int

    def origin(self, offset: int) -> int:
        """Where a character of the plain text stands in the original."""
        return self.at[offset] if offset < len(self.at) else (self.at[-1] + 1 if self.at else 0)


def plain(text: str) -> Plain:
    """The text as it is searched."""
    at: Sequence[int] = range(len(text))
    if not text.isascii():
        kept = [(index, _as_ascii(char)) for index, char in enumerate(text) if unicodedata.category(char) != "Cf"]
        at, text = [index for index, _ in kept], "".join(char for _, char in kept)
    text, urls = URL.subn(lambda one: " " * len(one[0]), text)
    return Plain(text, at, urls)


def _as_ascii(char: str) -> str:
    if char.isascii():
        return char
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return str(digit)
    if char in SIGNS:
        return SIGNS[char]
    return " " if char.isspace() else char
