"""Streams over streams: one that can be looked into ahead and knows its digest, one that takes gzip away."""

from __future__ import annotations

import hashlib
import zlib

from denominator.packs.audit.tarstream import STEP, Source, TarError

IMAGE_BYTES_MAX = 32 << 30


class Hashed:
    """A source with the sha256 of all that was read of it, behind the first bytes that were looked at already."""

    def __init__(self, source: Source, most: int = IMAGE_BYTES_MAX) -> None:
        self._source, self._head, self._sha, self._left = source, b"", hashlib.sha256(), most

    def peek(self, size: int) -> bytes:
        """The next bytes, which `read` will give again."""
        while len(self._head) < size:
            more = self._source.read(size - len(self._head))
            if not more:
                break
            self._head += more
        return self._head[:size]

    def read(self, size: int = -1, /) -> bytes:
        size = STEP if size < 0 else size
        if self._head:
            got, self._head = self._head[:size], self._head[size:]
        else:
            got = self._source.read(size)
        self._left -= len(got)
        if self._left < 0:
            raise TarError(f"it is larger than {IMAGE_BYTES_MAX >> 30} GiB")
        self._sha.update(got)
        return got

    def digest(self) -> str:
        """Of everything: what is left is read first."""
        while self.read(STEP):
            pass
        return f"sha256:{self._sha.hexdigest()}"


class Gunzip:
    """The plain bytes of a gzip stream."""

    def __init__(self, source: Source) -> None:
        self._source, self._tool, self._rest, self._ended = source, zlib.decompressobj(31), b"", False

    def read(self, size: int = -1, /) -> bytes:
        size = STEP if size < 0 else size
        while not self._ended:
            packed = self._rest or self._source.read(STEP)
            if not packed:
                raise TarError("the compressed stream ends too early")
            try:
                got = self._tool.decompress(packed, size)
            except zlib.error as error:
                raise TarError(f"the compressed stream is broken: {error}") from None
            self._rest = self._tool.unconsumed_tail
            if self._tool.eof:
                self._rest = self._tool.unused_data or self._source.read(STEP)
                self._ended = self._rest[:2] != b"\x1f\x8b"
                self._tool = zlib.decompressobj(31)
            if got:
                return got
        return b""
