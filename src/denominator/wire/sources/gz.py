"""One file packed with gzip: its content as the only member, named without the ending."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from denominator.errors import InputError
from denominator.wire.sources.base import DOCUMENT_BYTES, MEMBER_BYTES
from denominator.wire.sources.folder import plain_file, reading, shown
from denominator.wire.sources.limits import Pulled, whole
from denominator.wire.sources.unpack import GZIP, Inflate, Unpacked

ENDING = ".gz"


class Packed:
    """The content of a gzip file. What it says of its own size is not believed: bytes are counted as they come."""

    def __init__(self, path: Path) -> None:
        self._path = path
        file = shown(path.name)
        self.name = file[: -len(ENDING)] if file.lower().endswith(ENDING) and len(file) > len(ENDING) else file

    def names(self) -> Sequence[str]:
        """The one member."""
        return (self.name,)

    def size(self, name: str) -> int:
        """Bytes of the packed file: what it unpacks to is known when it was read."""
        handle = self._handle(name)
        try:
            return os.fstat(handle).st_size
        finally:
            os.close(handle)

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """The content as a stream."""
        with self._stream(name) as stream:
            yield stream

    def read(self, name: str, most: int = DOCUMENT_BYTES) -> bytes:
        """All of the content."""
        with self._stream(name) as stream:
            return whole(stream.read, name, most)

    def _stream(self, name: str) -> Pulled:
        handle = self._handle(name)
        content = Unpacked(reading(handle, name), lambda: Inflate(GZIP), name, padded=True)
        return Pulled(content, name, MEMBER_BYTES, lambda: os.close(handle))

    def _handle(self, name: str) -> int:
        if name != self.name:
            raise InputError("there is no such file", where=name)
        return plain_file(str(self._path), name)
