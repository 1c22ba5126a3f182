"""Keeps the key out of what goes to the agent, should a provider echo it."""

from __future__ import annotations

_HOLD_MIN_ENCODED = 4


class KeyEchoedError(Exception):
    """The key came back in a compressed body, where it cannot be covered."""


class Scrubber:
    """Passes bytes on at once, but for an end that may be the beginning of the key.

    In a plain body the key is covered with as many asterisks, so that lengths stay right. In a compressed one `feed`
    raises before the bytes that complete the key are passed on.
    """

    def __init__(self, key: str, *, encoded: bool) -> None:
        self._key = key.encode()
        self._encoded = encoded
        self._held = b""
        self._tail = b""
        self.echoed = False

    def feed(self, raw: bytes, plain: bytes) -> bytes:
        """What may be passed on now. `plain` is what `raw` decodes to."""
        if not self._key:
            return raw
        return self._feed_encoded(raw, plain) if self._encoded else self._feed_plain(raw)

    def flush(self) -> bytes:
        """What was held back at the end of the body."""
        held, self._held = self._held, b""
        return held

    def _feed_plain(self, raw: bytes) -> bytes:
        buffer = self._held + raw
        if self._key in buffer:
            self.echoed = True
            buffer = buffer.replace(self._key, b"*" * len(self._key))
        cut = len(buffer) - self._begun(buffer)
        self._held = buffer[cut:]
        return buffer[:cut]

    def _feed_encoded(self, raw: bytes, plain: bytes) -> bytes:
        seen = self._tail + plain
        if self._key in seen:
            self.echoed = True
            raise KeyEchoedError
        self._tail = seen[-(len(self._key) - 1) :]
        self._held += raw
        return b"" if self._begun(seen) >= _HOLD_MIN_ENCODED else self.flush()

    def _begun(self, buffer: bytes) -> int:
        """How many bytes at the end are a beginning of the key."""
        for size in range(min(len(self._key) - 1, len(buffer)), 0, -1):
            if buffer.endswith(self._key[:size]):
                return size
        return 0
