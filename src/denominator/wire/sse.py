"""Server-sent events, read as they arrive: any cut of the bytes gives the same events."""

from __future__ import annotations

from dataclasses import dataclass

EVENT_BYTES_MAX = 16 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One event: its type ("message" when none was named) and its data lines joined by newlines."""

    kind: str
    data: str


class SseReader:
    """Feed bytes, get whole events. `overflow`: an event grew past the cap; it and all later ones are lost."""

    def __init__(self, event_bytes_max: int = EVENT_BYTES_MAX) -> None:
        self._rest = b""
        self._data: list[str] = []
        self._kind = ""
        self._size = 0
        self._first = True
        self._max = event_bytes_max
        self.overflow = False

    def feed(self, chunk: bytes, *, last: bool = False) -> list[SseEvent]:
        """The events completed by `chunk`; with `last` a line or an event that was left open counts as well."""
        if self.overflow:
            return []
        events: list[SseEvent] = []
        for line in self._lines(chunk, last):
            self._size += len(line)
            event = self._line(line)
            if event is not None:
                events.append(event)
        self.overflow = self._size + len(self._rest) > self._max
        if last and self._data:
            events.append(self._take())
        return events

    def _lines(self, chunk: bytes, last: bool) -> list[bytes]:
        buffer = self._rest + chunk
        # Until three bytes are here a byte-order mark cannot be told from the first line's text.
        if self._first and (len(buffer) >= len(_BOM) or last):
            buffer = buffer.removeprefix(_BOM)
            self._first = False
        elif self._first and _BOM.startswith(buffer):
            self._rest = buffer
            return []
        held = b""
        if buffer.endswith(b"\r") and not last:
            # A lone CR at the cut may be the first half of CRLF.
            buffer, held = buffer[:-1], b"\r"
        lines = buffer.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        rest = lines.pop()
        self._rest = rest + held
        if last and self._rest:
            lines.append(self._rest)
            self._rest = b""
        return lines

    def _line(self, line: bytes) -> SseEvent | None:
        if not line:
            if self._data:
                return self._take()
            self._forget()
            return None
        if line.startswith(b":"):
            return None
        name, _, value = line.partition(b":")
        text = value.removeprefix(b" ").decode("utf-8", "replace")
        if name == b"data":
            self._data.append(text)
        elif name == b"event":
            self._kind = text
        return None

    def _take(self) -> SseEvent:
        event = SseEvent(self._kind or "message", "\n".join(self._data))
        self._forget()
        return event

    def _forget(self) -> None:
        self._data, self._kind, self._size = [], "", 0
