"""Where a secret token occurs in bytes, plainly or in an encoding that is easily undone.

Looked for: the token as it is and in another case, cut into pieces by anything but letters and digits (string sums,
zero-width marks, line breaks), reversed, rot13, percent, escapes of languages, URLs, mail and HTML, UTF-16, base64,
base32 and base85 in any alignment, alphabet and line width, hexadecimal digits in any writing, lists of character
numbers; and all of these again inside base64 and hex runs, gzip, zlib, bzip2, xz, zip and binary patches, up to
`DEPTH` deep. Not looked for: encryption, compression of another kind, a cipher with a key, words instead of letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from denominator.wire.canary.forms import (
    LEAST_BYTES,
    hex_forms,
    number_form,
    packed_forms,
    split_form,
    tight_forms,
    utf8,
    whole_forms,
)
from denominator.wire.canary.packed import unpacked
from denominator.wire.canary.views import hex_letters, letters, numbers, tight, undone

PIECE = 4 << 20
OVERLAP = 64 << 10
DEPTH = 3
OPENED_MAX = 32 << 20
"""Bytes that are opened and looked through per place; what is packed beyond that is not seen."""


def token_hits(token: str, places: Mapping[str, bytes]) -> tuple[str, ...]:
    """`place: encoding` for every place that holds the token; an empty token occurs nowhere."""
    if not token:
        return ()
    forms = Forms.of(token)
    return tuple(f"{place}: {name}" for place, data in sorted(places.items()) for name in _found(forms, data))


@dataclass(frozen=True, slots=True)
class Forms:
    """A token ready to be looked for."""

    whole: Mapping[str, bytes]
    packed: Mapping[str, bytes]
    tight: Mapping[str, bytes]
    hexed: Mapping[str, bytes]
    number: bytes
    split: bytes
    folded: bytes
    short: bool

    @classmethod
    def of(cls, token: str) -> Forms:
        """Every form of one token; a short one is looked for plainly only."""
        raw = utf8(token)
        return cls(
            whole=whole_forms(token),
            packed=packed_forms(token),
            tight=tight_forms(token),
            hexed=hex_forms(token),
            number=number_form(token),
            split=split_form(token),
            folded=raw.lower() if len(raw) >= LEAST_BYTES else b"",
            short=len(raw) < LEAST_BYTES // 2,
        )


def _found(forms: Forms, data: bytes) -> tuple[str, ...]:
    """The names of the encodings in which the bytes hold the token: as they stand, else seen otherwise, else opened."""
    whole = tuple(name for name, form in forms.whole.items() if form in data)
    if whole or forms.short:
        return whole
    found = dict.fromkeys(name for piece in _pieces(data) for name in _seen(forms, piece))
    return tuple(found) or tuple(dict.fromkeys(_opened(forms, data[:OPENED_MAX], DEPTH, [OPENED_MAX])))[:1]


def _pieces(data: bytes) -> Iterator[bytes]:
    for at in range(0, max(len(data), 1), PIECE):
        yield data[at : at + PIECE + OVERLAP]


def _seen(forms: Forms, data: bytes) -> Iterator[str]:
    """How the token shows in one piece that is looked at in another way; the first way that shows it is enough."""
    for name, form, view in _ways(forms, data):
        if form and form in view:
            yield name
            return


def _ways(forms: Forms, data: bytes) -> Iterator[tuple[str, bytes, bytes]]:
    for plain in undone(data):
        lower = plain.lower()
        yield "other case", forms.folded, lower
        yield from ((f"escaped {name}", form, plain) for name, form in forms.whole.items())
        kept = letters(lower)
        yield "in pieces", forms.split, kept
        yield "in pieces, reversed", forms.split[::-1], kept
        kept = letters(plain)
        yield from ((name, form, kept) for name, form in forms.packed.items())
    closed = tight(data)
    yield from ((name, form, closed) for name, form in forms.tight.items())
    digits = hex_letters(data)
    yield from ((name, form, digits) for name, form in forms.hexed.items())
    yield "character numbers", forms.number, numbers(data)


def _opened(forms: Forms, data: bytes, depth: int, left: list[int]) -> Iterator[str]:
    for name, inner in unpacked(data) if depth else ():
        left[0] -= len(inner)
        if left[0] < 0:
            return
        if not inner:
            continue
        shown = [one for one, form in forms.whole.items() if form in inner] or list(_seen(forms, inner))
        yield from (f"{name} > {one}" for one in shown)
        yield from (f"{name} > {one}" for one in _opened(forms, inner, depth - 1, left))
