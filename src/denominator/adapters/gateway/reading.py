"""Reads a response while it passes: decodes it, digests it, asks the provider's reader what it says."""

from __future__ import annotations

import hashlib
import zlib

from denominator.adapters.gateway.scrub import Scrubber
from denominator.wire.encodings import ENCODED, unpacker
from denominator.wire.providers import Api, BodyReader, Reply, StreamReader


class CannotReadError(Exception):
    """A body that cannot be read, so it is not passed on either: the word says why."""


class Passing:
    """One response body on its way through."""

    def __init__(self, api: Api, key: str, encoding: str, *, streamed: bool, bytes_max: int) -> None:
        encoded = encoding in ENCODED
        if not encoded and encoding not in ("", "identity"):
            raise CannotReadError("encoding_unknown")
        self._unzip = unpacker() if encoded else None
        self._scrubber = Scrubber(key, encoded=encoded)
        self._reader: BodyReader | StreamReader = StreamReader(api) if streamed else BodyReader(api)
        self._sha = hashlib.sha256()
        self._max = bytes_max
        self._plain_size = 0
        self.size = 0

    def feed(self, raw: bytes) -> bytes:
        """What may go to the agent now."""
        self.size += len(raw)
        self._sha.update(raw)
        plain = self._decode(raw)
        self._plain_size += len(plain)
        if max(self.size, self._plain_size) > self._max:
            raise CannotReadError("response_too_large")
        out = self._scrubber.feed(raw, plain)
        self._reader.feed(out if self._unzip is None else plain)
        return out

    def flush(self) -> bytes:
        """What was held back, at the end."""
        out = self._scrubber.flush()
        if self._unzip is None:
            self._reader.feed(out)
        return out

    def _decode(self, raw: bytes) -> bytes:
        if self._unzip is None:
            return raw
        try:
            plain = self._unzip.decompress(raw, self._max + 1)
        except zlib.error:
            raise CannotReadError("encoding_broken") from None
        if self._unzip.unused_data:
            # Bytes after the end of the compressed body would pass unread.
            raise CannotReadError("encoding_broken")
        return plain

    @property
    def sha256(self) -> str:
        """The digest of the body as the provider sent it, so far."""
        return self._sha.hexdigest()

    @property
    def key_echoed(self) -> bool:
        """Did the provider send the key back?"""
        return self._scrubber.echoed

    @property
    def content_begun(self) -> bool:
        """Has the model begun to say something?"""
        return self._reader.content_begun

    def reply(self) -> Reply:
        """What the body has said so far."""
        return self._reader.reply()
