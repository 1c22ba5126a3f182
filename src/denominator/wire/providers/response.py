"""Responses -> `Reply`, whole or streamed. The last non-null usage of a stream wins; nothing is summed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from denominator.wire.providers.api import Api
from denominator.wire.providers.errors import error_words
from denominator.wire.providers.loose import as_dict, dumps_loose, first, loads_loose, text_of
from denominator.wire.providers.reply import Reply
from denominator.wire.providers.usage import normalise
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
        facts = _Facts(self._api)
        if self._over:
            return Reply(error="response_too_large")
        document = loads_loose(bytes(self._body))
        if not isinstance(document, dict):
            return Reply(error="response_not_json" if self._body else "response_empty")
        facts.take(document)
        return facts.reply("provider", NotMeasured("not a stream"))


class StreamReader:
    """A response that is a stream of events."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._events = SseReader()
        self._facts = _Facts(api)
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
        reply = self._facts.reply("provider_stream_last", self._final)
        return replace(reply, error="stream_event_too_large") if self._events.overflow else reply


_FINAL = frozenset({"message_stop", "response.completed", "response.incomplete", "response.failed"})


class _Facts:
    """What has been said, the latest word winning."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._said: dict[str, str] = {}
        self._usage: dict[str, Any] = {}

    def take(self, data: Mapping[str, Any], is_error: bool = False) -> None:
        """Takes one document or one event's data."""
        inner = as_dict(data.get("response") or data.get("message")) if self._api is not Api.CHAT else {}
        for part in (data, inner):
            self._text("model", part.get("model"))
            self._text("fingerprint", part.get("system_fingerprint"))
            self._take_usage(part.get("usage"))
            self._take_error(part.get("error"), is_error)
        if is_error and "error" not in self._said:
            self._text("error", data.get("code"))
            self._said.setdefault("error", "error_event")
        self._text("finish", self._finish(data, inner))

    def _text(self, name: str, value: Any) -> None:
        text = text_of(value, "")
        if isinstance(text, str):
            self._said[name] = text

    def _take_usage(self, usage: Any) -> None:
        if not isinstance(usage, dict) or not usage:
            return
        if self._api is Api.MESSAGES:
            # Anthropic's later events repeat only the counts that changed.
            self._usage.update({name: value for name, value in usage.items() if value is not None})
        else:
            self._usage = usage

    def _take_error(self, error: Any, is_error: bool) -> None:
        if isinstance(error, str) and error:
            self._text("error", "error_text")
        for value in error_words(as_dict(error)):
            if not (is_error and value == "error"):
                self._text("error", value)
                return
        if as_dict(error):
            self._said.setdefault("error", "error_unnamed")

    def _finish(self, data: Mapping[str, Any], inner: Mapping[str, Any]) -> Any:
        if self._api is Api.CHAT:
            return first(data.get("choices")).get("finish_reason")
        if self._api is Api.MESSAGES:
            return data.get("stop_reason") or as_dict(data.get("delta")).get("stop_reason")
        whole = inner or data
        detail = as_dict(whole.get("incomplete_details")).get("reason")
        return detail or (whole.get("status") if whole.get("status") != "in_progress" else None)

    def reply(self, source: str, final: bool | NotMeasured) -> Reply:
        """All of it as one record."""
        silent = Reply()
        said = self._said
        reply = replace(
            silent,
            model=said.get("model", silent.model),
            finish=said.get("finish", silent.finish),
            fingerprint=said.get("fingerprint", silent.fingerprint),
            error=said.get("error", silent.error),
            final_event=final,
            usage=_unread(source),
        )
        if not self._usage or self._api is Api.OTHER:
            return reply
        usage, convention = normalise(self._api, self._usage)
        return replace(
            reply,
            usage=usage,
            usage_raw=dumps_loose(self._usage),
            usage_convention=convention,
            usage_source=source,
        )


def _unread(source: str) -> Usage:
    reason = NotMeasured("no usage in the stream" if source == "provider_stream_last" else "no usage in the response")
    return Usage(prompt=reason, completion=reason, cached_read=reason, cache_write=reason, reasoning=reason)
