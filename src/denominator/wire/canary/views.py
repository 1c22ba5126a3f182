"""Bytes seen in another way: escapes undone, look-alikes folded, everything but letters and digits left out."""

from __future__ import annotations

import re
import unicodedata
from html.entities import html5

ROUNDS = 3
ESCAPE = re.compile(
    rb"""\\x([0-9a-fA-F]{2}) | %([0-9a-fA-F]{2}) | =([0-9A-F]{2})
    | \\u\{([0-9a-fA-F]{1,6})\} | [\\%]u([0-9a-fA-F]{4}) | \\U([0-9a-fA-F]{8}) | &\#[xX]([0-9a-fA-F]{1,6});? | U\+([0-9a-fA-F]{4,6})
    | &\#([0-9]{1,7});? | \\([0-3]?[0-7]{1,2}) | &([A-Za-z]{2,24};)
    | \\([nrt])""",
    re.VERBOSE,
)
BYTES, POINTS, DECIMAL, OCTAL, NAMED, BLANK = range(1, 4), range(4, 9), 9, 10, 11, 12
MARKS = (b"\\", b"%", b"&", b"=", b"U+")
NOT_LETTERS = bytes(one for one in range(256) if not (chr(one).isalnum() and one < 128))
BLANKS = b" \t\r\n\f\v"
HEX_MARKS = re.compile(rb"0[xX]|\\[xX]")
NUMBER = re.compile(rb"[0-9]+")


def letters(data: bytes) -> bytes:
    """Only ASCII letters and digits: quotes, plus signs, spaces, line breaks, zero-width marks, NULs are gone."""
    return data.translate(None, NOT_LETTERS)


def tight(data: bytes) -> bytes:
    """Without white space."""
    return data.translate(None, BLANKS)


def hex_letters(data: bytes) -> bytes:
    """Letters and digits in lower case, without the marks that hexadecimal numbers carry."""
    return letters(HEX_MARKS.sub(b"", data)).lower()


def numbers(data: bytes) -> bytes:
    """Every number in decimal digits, one comma between two."""
    return b"," + b",".join(NUMBER.findall(data)) + b","


def undone(data: bytes) -> tuple[bytes, ...]:
    """The bytes with escapes of the usual languages, of URLs, of mail and of HTML undone, once and over again.

    Each round is a view of its own: what a round shows, the next one may take for an escape.
    """
    views = [data]
    while len(views) <= ROUNDS and any(mark in views[-1] for mark in MARKS):
        found = ESCAPE.sub(_one, views[-1])
        if found == views[-1]:
            break
        views.append(found)
    return tuple(_folded(view) for view in views)


def _one(found: re.Match[bytes]) -> bytes:
    group = found.lastindex or 0
    text = found[group].decode("ascii")
    if group in BYTES:
        return bytes([int(text, 16)])
    if group == BLANK:
        return b" "
    if group == OCTAL:
        return bytes([int(text, 8) & 0xFF])
    if group == NAMED:
        return html5[text].encode("utf-8") if text in html5 else found[0]
    point = int(text, 10 if group == DECIMAL else 16)
    return chr(point).encode("utf-8", "surrogatepass") if point < 0x110000 else found[0]


def _folded(data: bytes) -> bytes:
    """Full-width and other compatible letters as the plain ones."""
    if data.isascii():
        return data
    return unicodedata.normalize("NFKC", data.decode("utf-8", "replace")).encode("utf-8", "replace")
