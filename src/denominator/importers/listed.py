"""A JSON list as its elements, one at a time: lists of results are longer than a document may be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple, cast

from denominator.errors import InputError
from denominator.wire.sources import Source, loose_json
from denominator.wire.sources.slices import slices

KEY = "list"


class Element(NamedTuple):
    """One element and its place. `value` is None where `fault` says why it could not be read."""

    place: int
    value: Any
    fault: str = ""


def elements(files: Source, name: str) -> Iterator[Element]:
    """The elements of a member that is one JSON list. InputError: no list, or cut; what came before stands."""
    with files.open(name) as stream:
        for piece in slices(cast(BinaryIO, _Wrapped(stream)), name, (KEY,)):
            if piece.key != KEY or piece.place < 0:
                raise InputError("is no JSON list", where=name)
            try:
                yield Element(piece.place, loose_json(piece.data, f"{name}#/{piece.place}"))
            except InputError as error:
                yield Element(piece.place, None, error.what)


class _Wrapped:
    """The bytes of a list as those of an object with the list in it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._before, self._after = stream, f'{{"{KEY}":'.encode(), b"}"

    def read(self, size: int = -1) -> bytes:
        """Some of the bytes; none at the end."""
        if self._before:
            data, self._before = self._before, b""
            return data
        if data := self._stream.read(size):
            return data
        data, self._after = self._after, b""
        return data
