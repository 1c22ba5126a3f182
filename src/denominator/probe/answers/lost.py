"""What became of characters beyond ASCII on their way: replaced, taken for another encoding, dropped, or taken apart."""

from __future__ import annotations

import unicodedata
from functools import cache
from html.entities import html5
from typing import Literal

REPLACED = "\ufffd"
FORMS: tuple[Literal["NFC"], Literal["NFKC"]] = ("NFC", "NFKC")
ROOM = 16
"""A character becomes at most so many: an astral one as four bytes that are spelled out."""
BYTES = ("\\x%02x", "\\x%02X", "%%%02X", "%%%02x", "\\%03o", "=%02X")
"""How bytes are spelled out."""


def is_normalised(text: str, expected: str) -> bool:
    """Do two different texts have the same code points once normalised (composed, or in their compatible forms)?"""
    return text != expected and any(
        unicodedata.normalize(form, text) == unicodedata.normalize(form, expected) for form in FORMS
    )


def is_lost(text: str, expected: str) -> bool:
    """Is a text the expected one but for characters beyond ASCII, each kept, damaged in a known way, or gone?

    A character that another letter of its script stands for is not lost: that is somebody else's word.
    """
    if REPLACED in text and REPLACED not in expected:
        return True
    if expected.isascii() or len(text) > len(expected) * ROOM:
        return False
    reached = {0}
    for char in expected:
        reached = {at + len(form) for at in reached for form in _forms(char) if text.startswith(form, at)}
        if not reached:
            return False
    return len(text) in reached


@cache
def _forms(char: str) -> frozenset[str]:
    """Everything that a character is known to turn into; an ASCII one stays itself."""
    if char.isascii():
        return frozenset((char,))
    units = char.encode("utf-16-be")
    escaped = "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
    taken_apart = unicodedata.normalize("NFKD", char)
    bare = "".join(one for one in taken_apart if not unicodedata.combining(one))
    marks = {mark * count for mark in ("?", "\u25a1", REPLACED, "\ufffd?") for count in range(1, 5)}
    named = {escaped, escaped.upper().replace("\\U", "\\u"), f"\\U{ord(char):08x}", f"\\x{ord(char):x}"}
    named |= {
        f"&#{ord(char)};",
        f"&#x{ord(char):x};",
        f"&#x{ord(char):X};",
        f"<U+{ord(char):04X}>",
        f"U+{ord(char):04X}",
    }
    named |= {f"&{name}" for name, value in html5.items() if value == char and name.endswith(";")}
    named |= {"".join(shape % byte for byte in char.encode()) for shape in BYTES}
    return frozenset({char, "", bare, taken_apart, *marks, *named, *_mistaken(char)})


def _mistaken(char: str) -> set[str]:
    """The bytes of its UTF-8 read as another encoding, once or twice, and the other way round."""
    found = set()
    for codec in ("latin-1", "cp1252", "cp437", "mac-roman", "gbk", "shift-jis"):
        once = char.encode().decode(codec, "replace")
        found |= {once, once.replace(REPLACED, ""), once.encode().decode(codec, "replace")}
        found.add(_sloppy(char.encode()))
    return found


def _sloppy(data: bytes) -> str:
    """Windows-1252 as browsers read it: the five bytes that it leaves out are control characters."""
    return "".join(_one(byte) for byte in data)


def _one(byte: int) -> str:
    try:
        return bytes((byte,)).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)
