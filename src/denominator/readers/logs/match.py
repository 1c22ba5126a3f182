"""Known texts in pieces of owned streams. Lines that differ in digits only are looked at once; most hold nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from denominator.readers.logs.frames import HEAD, Piece
from denominator.readers.logs.shape import Hit, Signature
from denominator.readers.logs.view import ESCAPE, ESCAPES, OTHERS, View, quoted, view_of

EVERYWHERE = "SPBVH"
PLACES: Mapping[str, str] = {"setup": "SBH", "harness": "SPBH", "verify/err": "V"}
"""Whose words a stream may hold: the harness's own streams, and what the verifier's supervisor wrote. Never the agent's."""
SHOWN = 2_000
PLAIN = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789", b"abcdefghijklmnopqrstuvwxyz000000000")
MOST_KNOWN = 20_000
KNOWN_BYTES = 500


@dataclass(frozen=True, slots=True)
class _Compiled:
    signature: Signature
    needs: tuple[bytes, ...]
    pattern: re.Pattern[bytes]
    unless: re.Pattern[bytes] | None


class Matcher:
    """A list of signatures, ready to be held against pieces."""

    def __init__(self, signatures: Sequence[Signature]) -> None:
        self._compiled = tuple(_compiled(one) for one in signatures)
        self._needs = tuple(sorted({need for one in self._compiled for need in one.needs}))
        self._silent: set[bytes] = set()

    def hits(self, piece: Piece, full: Collection[str] = (), letters: str | None = None) -> Iterator[Hit]:
        """Every known text of a piece that may count in its stream; signatures in `full` are no longer asked for.

        `letters` are the places that are asked for instead of the stream's own: for texts that are only to be read.
        """
        letters = places_of(piece.phase, piece.stream) if letters is None else letters
        if not letters:
            return
        text = _plain(piece.text)
        if text in self._silent:
            return
        plain = text.split(b"\n")
        telling = self._telling(set(plain) - self._silent)
        if not telling:
            return
        offset = piece.offset
        for raw, line in zip(piece.text.split(b"\n"), plain, strict=True):
            for one in telling.get(line, ()):
                if one.signature.name not in full and not set(one.signature.where).isdisjoint(letters):
                    yield from _found(one, piece, raw, offset)
            offset += len(raw) + 1

    def _telling(self, lines: set[bytes]) -> dict[bytes, tuple[_Compiled, ...]]:
        """The lines that hold a literal of some signature, with these signatures."""
        if not lines:
            return {}
        text = b"\n".join(lines)
        there = [need for need in self._needs if need in text]
        found = {line: self._asked(line, there) for line in lines if any(need in line for need in there)}
        if len(self._silent) < MOST_KNOWN:
            self._silent.update(line for line in lines if line not in found and len(line) < KNOWN_BYTES)
        return found

    def _asked(self, line: bytes, there: Sequence[bytes]) -> tuple[_Compiled, ...]:
        needs = {need for need in there if need in line}
        return tuple(one for one in self._compiled if not needs.isdisjoint(one.needs))


def places_of(phase: str, stream: str) -> str:
    """The letters of a stream: whose words it may hold; none for streams in which nothing may be looked for."""
    return "" if stream == "evt" else PLACES.get(phase, "") or PLACES.get(f"{phase}/{stream}", "")


def _plain(text: bytes) -> bytes:
    """Text for the first, coarse look: no escape sequences, small letters, one digit for all."""
    return (ESCAPES.sub(b"", text) if ESCAPE in text else text).translate(PLAIN, OTHERS)


def _compiled(one: Signature) -> _Compiled:
    unless = re.compile(one.unless, re.IGNORECASE) if one.unless else None
    needs = tuple(_plain(need) for need in one.needs)
    return _Compiled(one, needs, re.compile(one.pattern, re.IGNORECASE), unless)


def _found(one: _Compiled, piece: Piece, raw: bytes, offset: int) -> Iterator[Hit]:
    view = view_of(raw)
    for found in one.pattern.finditer(view.text):
        line = _around(view, found.start(), found.end())
        if one.unless is not None and one.unless.search(line):
            continue
        start, end = view.raw(found.start()), view.raw(found.end() - 1) + 1
        yield Hit(
            offset=offset + start,
            length=end - start,
            signature=one.signature.name,
            phase=piece.phase,
            stream=piece.stream,
            quote=quoted(line),
        )


def _around(view: View, start: int, end: int) -> bytes:
    """The text around a match up to a carriage return, without the line's head, cut to a readable length."""
    text = view.text
    first = max(text.rfind(b"\r", 0, start) + 1, start - SHOWN)
    stop = text.find(b"\r", end)
    line = text[first : min(stop if stop >= 0 else len(text), end + SHOWN)]
    head = HEAD.match(line)
    return line[head.end() :] if head else line
