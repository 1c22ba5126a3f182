"""Responses -> `Reply`, whole or streamed. The last non-null usage of a stream wins; nothing is summed."""

from __future__ import annotations

from dataclasses import replace

from denominator.records.values import NotMeasured
from denominator.wire.providers.api import Api
from denominator.wire.providers.heard import Facts
from denominator.wire.providers.loose import as_dict, loads_loose
from denominator.wire.providers.reply import Reply
from denominator.wire.sse import SseReader

BODY_BYTES_MAX = 16 * 1024 * 1024


class BodyReader:
    """A response that is one JSON document."""

    def __init__(self, api: Api, body_bytes_max: int = BODY_BYTES_MAX) -> None:
        self._api = api
        self._body = bytearray()
        self._max = body_bytes_max
        self._over = False

    def feed(self, chunk: bytes) -> None:
        """Keeps the bytes, up to the cap."""
        self._over = self._over or len(self._body) + len(chunk) > self._max
        if not self._over:
            self._body += chunk

    def reply(self) -> Reply:
        """What the document says."""
        facts = Facts(self._api)
        if self._over:
            return Reply(error="response_too_large", content_begun=True)
        document = loads_loose(bytes(self._body))
        if not isinstance(document, dict):
            return Reply(error="response_not_json" if self._body else "response_empty")
        facts.take(document)
        return facts.reply("provider", NotMeasured("not a stream"), whole=True)

    @property
    def content_begun(self) -> bool:
        """Of a document it is the first byte that can be seen."""
        return bool(self._body) or self._over


class StreamReader:
    """A response that is a stream of events."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._events = SseReader()
        self._facts = Facts(api)
        self._final = False

    def feed(self, chunk: bytes, *, last: bool = False) -> None:
        """Reads the events that `chunk` completes."""
        for event in self._events.feed(chunk, last=last):
            if event.data.strip() == "[DONE]":
                self._final = True
                continue
            data = as_dict(loads_loose(event.data))
            kind = data.get("type") if isinstance(data.get("type"), str) else event.kind
            self._final = self._final or kind in _FINAL
            self._facts.take(data, kind == "error")

    def reply(self) -> Reply:
        """What the stream has said so far."""
        self.feed(b"", last=True)
        reply = self._facts.reply("provider_stream_last", self._final, whole=self._final or self._facts.counted_last)
        return replace(reply, error="stream_event_too_large") if self._events.overflow else reply

    @property
    def content_begun(self) -> bool:
        """Has text, reasoning or a tool call begun?"""
        return self._facts.made.begun


_FINAL = frozenset({"message_stop", "response.completed", "response.incomplete", "response.failed"})
