"""A key as an echo may spell it: plainly, escaped for JSON or a URL, in hexadecimal, inside base64."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator

MARKS = (b"\\u00", b"%", b"&#")
PLAIN = re.compile(r"[A-Za-z0-9_.~-]*")


class KeyFinder:
    """Finds every spelling of a key in bytes, in any case. Without a key nothing is ever found."""

    def __init__(self, key: str) -> None:
        raw = key.lower().encode()
        self.key = key
        self._exact = [re.compile(_in_base64(key.encode(), shift)) for shift in range(3)] if key else []
        self._lower = [raw, raw.hex().encode(), key.encode().hex().encode()] if key else []
        self._special = not PLAIN.fullmatch(key)
        self._escaped = re.compile("".join(map(_spelled, key.lower())).encode())

    def spans(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Where it stands, in no order; places may overlap."""
        if not self.key:
            return
        lower = data.lower()
        for form in self._lower:
            at = lower.find(form)
            while at >= 0:
                yield at, at + len(form)
                at = lower.find(form, at + 1)
        for pattern in self._exact:
            yield from (match.span() for match in pattern.finditer(data))
        if self._special or any(mark in lower for mark in MARKS):
            yield from (match.span() for match in self._escaped.finditer(lower))


def _spelled(letter: str) -> str:
    """One character in lower case: itself, with a backslash, as \\u0041, %41, %2541 or &#65; a capital may have been meant."""
    codes = sorted({ord(letter), ord(letter.upper())})
    coded = "|".join(rf"\\u{code:04x}|%(?:25)?{code:02x}|&\#(?:0{{0,4}}{code}|x0{{0,4}}{code:x});" for code in codes)
    return rf"(?:\\?{re.escape(letter)}|{coded})"


def _in_base64(raw: bytes, shift: int) -> bytes:
    """The letters that stay as they are whatever stands before and after, in either alphabet."""
    packed = b64encode(b"\0" * shift + raw).decode()
    inner = packed[-(-8 * shift // 6) : 8 * (shift + len(raw)) // 6]
    return "".join({"+": r"[+\-]", "/": r"\\?[/_]"}.get(letter, re.escape(letter)) for letter in inner).encode()
