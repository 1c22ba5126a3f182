"""A token as it may be written: its encodings, each as the bytes that no neighbour can change."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Callable
from urllib.parse import quote

from denominator.wire.canary.views import letters

LEAST_BYTES = 8
LEAST_SPLIT = 10
Encode = Callable[[bytes], bytes]


def whole_forms(token: str) -> dict[str, bytes]:
    """The token plainly, and in encodings in which it stands as one piece; too short a form would be found anywhere."""
    raw = utf8(token)
    forms = {
        "reversed": raw[::-1],
        "rot13": utf8(codecs.encode(token, "rot13")),
        "percent": quote(raw, safe="").encode(),
        "utf-16": token.encode("utf-16-le", "surrogatepass"),
        "utf-16 (big end first)": token.encode("utf-16-be", "surrogatepass"),
    }
    return {"plain": raw, **{name: form for name, form in forms.items() if len(form) >= LEAST_BYTES and form != raw}}


def packed_forms(token: str) -> dict[str, bytes]:
    """The token inside base64 and base32, only letters and digits kept: line breaks, the url-safe alphabet and missing
    padding change nothing then."""
    forms: dict[str, bytes] = {}
    for name, raw in (("", utf8(token)), (" of utf-16", token.encode("utf-16-le", "surrogatepass"))):
        forms |= {f"base64{name}+{shift}": _inner(base64.b64encode, raw, shift, 6) for shift in range(3)}
        forms |= {f"base32{name}+{shift}": _inner(base64.b32encode, raw, shift, 5) for shift in range(5)}
    return {name: kept for name, form in forms.items() if len(kept := letters(form)) >= LEAST_BYTES}


def tight_forms(token: str) -> dict[str, bytes]:
    """The token inside base85, whose alphabet is more than letters: only white space may stand between."""
    ways = (("base85", base64.b85encode), ("ascii85", base64.a85encode))
    forms = {f"{name}+{shift}": _groups(way, utf8(token), shift) for name, way in ways for shift in range(4)}
    return {name: form for name, form in forms.items() if len(form) >= LEAST_BYTES}


def hex_forms(token: str) -> dict[str, bytes]:
    """The token as hexadecimal digits, lower case."""
    forms = {"hex": utf8(token).hex(), "hex of utf-16": token.encode("utf-16-le", "surrogatepass").hex()}
    return {name: form.encode() for name, form in forms.items() if len(form) >= LEAST_BYTES}


def number_form(token: str) -> bytes:
    """The token as a list of character numbers, with a comma on both sides of each."""
    numbers = ",".join(str(ord(letter)) for letter in token)
    return f",{numbers},".encode() if len(token) >= LEAST_BYTES // 2 else b""


def split_form(token: str) -> bytes:
    """Letters and digits of a token that is long and odd enough to be known by them alone; else nothing."""
    kept = letters(utf8(token)).lower()
    odd = any(chr(one).isdigit() for one in kept) and any(chr(one).isalpha() for one in kept)
    return kept if odd and len(kept) >= LEAST_SPLIT else b""


def utf8(token: str) -> bytes:
    """The token's bytes."""
    return token.encode("utf-8", "surrogatepass")


def _inner(encode: Encode, raw: bytes, shift: int, bits: int) -> bytes:
    """The letters that stay as they are whatever stands after the token and whichever `shift` bytes before it."""
    packed = encode(b"\0" * shift + raw)
    return packed[-(-8 * shift // bits) : 8 * (shift + len(raw)) // bits]


def _groups(encode: Encode, raw: bytes, shift: int) -> bytes:
    """Whole groups of four bytes inside the token: base85 writes each as five letters."""
    return encode(raw[shift : shift + (len(raw) - shift) // 4 * 4])
