"""The result row of a try."""

from __future__ import annotations

import re
from dataclasses import replace

from denominator.adapters.gateway.proxy.progress import Progress
from denominator.adapters.gateway.upstream import Upstream
from denominator.records.rows import CallRow, Count, Text
from denominator.records.values import NotMeasured
from denominator.wire.providers import NO_REPLY, Asked, Reply, as_asked, with_headers, within_cap

_NO_ANSWER = NotMeasured("no answer came")
_ID_HEADERS = ("x-request-id", "request-id")
_ODD = re.compile(r"[^\x20-\x7e]")
HEADER_CHARS_MAX = 128
LEFT = "client_left"


def settled(row: CallRow, progress: Progress, asked: Asked, upstream: Upstream) -> CallRow:
    """The row with everything that the try showed; the key is covered in every text."""
    passing = progress.passing
    said = with_headers(passing.reply() if passing else NO_REPLY, progress.headers)
    counted = within_cap(as_asked(said, asked.usage_on_stream), asked.output_cap, asked.choices)
    reply = _hidden(counted, upstream)
    error = _fault(progress, reply)
    silent = NotMeasured("the body was cut" if progress.word else "the response does not say")
    return replace(
        row,
        outcome="gave_up" if error else "ok",
        sent=progress.marks.sent,
        client_left=progress.word == LEFT,
        status=progress.status or _NO_ANSWER,
        error=error or ("key_echoed" if passing and passing.key_echoed else NotMeasured("no error")),
        retry_after_s=_header(progress, ("retry-after",), upstream),
        request_id=_header(progress, _ID_HEADERS, upstream),
        content_type=_header(progress, ("content-type",), upstream),
        content_encoding=_header(progress, ("content-encoding",), upstream),
        finish=reply.finish if isinstance(reply.finish, str) else silent,
        final_event=reply.final_event,
        usage_raw=reply.usage_raw,
        usage_convention=reply.usage_convention,
        usage_source=reply.usage_source,
        usage=reply.usage,
        served_model=reply.model,
        fingerprint=reply.fingerprint,
        host=reply.host,
        quantisation=reply.quantisation,
        decoding=reply.decoding,
        tool_calls=reply.tool_calls,
        provider_cost=reply.provider_cost,
        provider_cost_unit=reply.provider_cost_unit,
        first_byte_ms=_since(progress, progress.first_ns),
        first_content_ms=_since(progress, progress.content_ns),
        last_byte_ms=_since(progress, progress.ended_ns) if passing else _NO_ANSWER,
        response_bytes=passing.size if passing else _NO_ANSWER,
        response_sha256=passing.sha256 if passing else _NO_ANSWER,
        cassette=progress.marks.cassette,
        injected=progress.marks.injected,
        differs=progress.marks.differs,
    )


def _fault(progress: Progress, reply: Reply) -> str:
    """Why a try is not ok, or "". An agent that leaves after the last word of a stream has had all of it."""
    said = reply.error if isinstance(reply.error, str) else ""
    heard = progress.word == LEFT and reply.final_event is True
    if progress.word and not heard:
        return progress.word
    if not 200 <= progress.status < 300:
        return said or f"http_{progress.status}"
    cut = reply.final_event is False and isinstance(reply.finish, NotMeasured)
    return said or ("stream_cut" if cut else "")


def _since(progress: Progress, at_ns: int) -> Count:
    return (at_ns - progress.started_ns) // 1_000_000 if at_ns else _NO_ANSWER


def _header(progress: Progress, names: tuple[str, ...], upstream: Upstream) -> Text:
    value = progress.header(*names)
    return _ODD.sub("?", upstream.hide(value))[:HEADER_CHARS_MAX] if value else NotMeasured(f"no {names[0]} header")


def _hidden(reply: Reply, upstream: Upstream) -> Reply:
    def hide(text: Text) -> Text:
        return upstream.hide(text) if isinstance(text, str) else text

    return replace(
        reply,
        model=hide(reply.model),
        finish=hide(reply.finish),
        fingerprint=hide(reply.fingerprint),
        usage_raw=hide(reply.usage_raw),
        error=hide(reply.error),
        host=hide(reply.host),
        quantisation=hide(reply.quantisation),
        decoding={upstream.hide(name): upstream.hide(value) for name, value in reply.decoding.items()},
        tool_calls=tuple(map(upstream.hide, reply.tool_calls)),
    )
