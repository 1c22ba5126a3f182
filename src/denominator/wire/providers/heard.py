"""What the documents or events of one response have said so far, the latest word winning. Nothing is summed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from denominator.records.rows import Flag, Usage
from denominator.records.values import NotMeasured
from denominator.wire.providers.api import Api
from denominator.wire.providers.believed import believed
from denominator.wire.providers.decoding import decoding_said
from denominator.wire.providers.errors import error_words
from denominator.wire.providers.loose import as_dict, dumps_loose, first, text_of
from denominator.wire.providers.made import Made
from denominator.wire.providers.reply import Reply
from denominator.wire.providers.said import cost_of, host_of, quantisation_of
from denominator.wire.providers.usage import normalise, says_something

_WORDS = ("model", "finish", "fingerprint", "error", "host", "quantisation")


class Facts:
    """`counted_last`: the interface's last count has come, though the stream may still want its end."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._said: dict[str, str] = {}
        self._raw: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._decoding: dict[str, str] = {}
        self._counted = False
        self.made = Made(api)

    @property
    def counted_last(self) -> bool:
        """Chat counts with or after its finish reason; Anthropic with it, in `message_delta`."""
        return "finish" in self._said and (self._api is not Api.MESSAGES or self._counted)

    @property
    def _unpaid(self) -> bool:
        """Is the count of an answer's own tokens 0 though there is text or a call? Reasoning may be counted beside it."""
        own = self._usage.get("completion_tokens", self._usage.get("output_tokens"))
        return self.made.spoken and own == 0 and not isinstance(own, bool)

    def take(self, data: Mapping[str, Any], is_error: bool = False) -> None:
        """Takes one document or one event's data."""
        inner = as_dict(data.get("response") or data.get("message")) if self._api is not Api.CHAT else {}
        for part in (data, inner) if inner else (data,):
            self._text("model", part.get("model"))
            self._text("fingerprint", part.get("system_fingerprint"))
            self._text("host", host_of(part))
            self._text("quantisation", quantisation_of(part))
            self._take_usage(part.get("usage"))
            if part.get("error"):
                self._take_error(part["error"], is_error)
            self._decoding.update(decoding_said(part))
        if is_error and "error" not in self._said:
            self._text("error", data.get("code"))
            self._said.setdefault("error", "error_event")
        self._counted |= data.get("type") == "message_delta" and bool(as_dict(data.get("usage")))
        self._text("finish", self._finish(data, inner))
        self.made.take(inner if self._api is Api.MESSAGES and inner else data)

    def _text(self, name: str, value: Any) -> None:
        # Every event of a stream says most of these again.
        if not value or value == self._raw.get(name):
            return
        text = text_of(value, "")
        if isinstance(text, str):
            self._said[name], self._raw[name] = text, value

    def _take_usage(self, usage: Any) -> None:
        if not isinstance(usage, dict) or not says_something(usage):
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

    def reply(self, source: str, final: Flag, *, whole: bool) -> Reply:
        """All of it as one record. `whole`: the counts are the last ones that the provider was going to send."""
        silent = Reply()
        reply = replace(
            silent,
            **{name: self._said.get(name, getattr(silent, name)) for name in _WORDS},
            final_event=final,
            usage=_unread(source),
            decoding=dict(sorted(self._decoding.items())),
            tool_calls=self.made.calls(),
            content_begun=self.made.begun,
            refused=self.made.refused,
        )
        if not self._usage or self._api is Api.OTHER:
            return reply
        usage, convention = normalise(self._api, self._usage)
        cost = cost_of(self._usage)
        return replace(
            reply,
            usage=believed(usage, content_begun=self.made.begun, whole=whole, unpaid=self._unpaid),
            usage_raw=dumps_loose(self._usage),
            usage_convention=convention,
            usage_source=source,
            provider_cost=cost.amount,
            provider_cost_unit=cost.unit,
        )


def _unread(source: str) -> Usage:
    reason = NotMeasured("no usage in the stream" if source == "provider_stream_last" else "no usage in the response")
    return Usage(prompt=reason, completion=reason, cached_read=reason, cache_write=reason, reasoning=reason)
