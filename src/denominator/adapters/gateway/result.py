"""The result row of an exchange."""

from __future__ import annotations

import http.client
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from denominator.adapters.gateway.upstream import Upstream
from denominator.records.rows import CallRow, Count, Text
from denominator.records.values import NotMeasured
from denominator.wire.providers import NO_REPLY, Reply

if TYPE_CHECKING:
    from denominator.adapters.gateway.exchange import Progress

_NO_ANSWER = NotMeasured("no answer came")
_ID_HEADERS = ("x-request-id", "request-id")
_ODD = re.compile(r"[^\x20-\x7e]")
HEADER_CHARS_MAX = 128


def settled(
    row: CallRow, progress: Progress, word: str, left: bool, started_ns: int, now_ns: int, upstream: Upstream
) -> CallRow:
    """The row with everything that the exchange showed; the key is covered in every text."""
    reply = _hidden(progress.passing.reply() if progress.passing else NO_REPLY, upstream)
    error = word or _fault(progress, reply)
    passing = progress.passing
    silent = NotMeasured("the body was cut" if word else "the response does not say")
    return replace(
        row,
        outcome="gave_up" if error else "ok",
        sent=progress.sent,
        client_left=left,
        status=progress.response.status if progress.response else _NO_ANSWER,
        error=error or ("key_echoed" if passing and passing.key_echoed else NotMeasured("no error")),
        retry_after_s=_header(progress.response, ("retry-after",), upstream),
        request_id=_header(progress.response, _ID_HEADERS, upstream),
        finish=reply.finish if isinstance(reply.finish, str) else silent,
        final_event=reply.final_event,
        usage_raw=reply.usage_raw,
        usage_convention=reply.usage_convention,
        usage_source=reply.usage_source,
        usage=reply.usage,
        served_model=reply.model,
        fingerprint=reply.fingerprint,
        first_byte_ms=(progress.first_ns - started_ns) // 1_000_000 if progress.first_ns else _NO_ANSWER,
        last_byte_ms=(now_ns - started_ns) // 1_000_000 if passing else _NO_ANSWER,
        response_bytes=_size(progress),
        response_sha256=passing.sha256 if passing else _NO_ANSWER,
    )


def _fault(progress: Progress, reply: Reply) -> str:
    """Why an exchange that ended in order is not ok all the same, or ""."""
    status = progress.response.status if progress.response else 0
    said = reply.error if isinstance(reply.error, str) else ""
    if not 200 <= status < 300:
        return said or f"http_{status}"
    cut = reply.final_event is False and isinstance(reply.finish, NotMeasured)
    return said or ("stream_cut" if cut else "")


def _size(progress: Progress) -> Count:
    return progress.passing.size if progress.passing else _NO_ANSWER


def _header(response: http.client.HTTPResponse | None, names: tuple[str, ...], upstream: Upstream) -> Text:
    for name in names if response is not None else ():
        value = response.getheader(name) if response is not None else None
        if value:
            return _ODD.sub("?", upstream.hide(value))[:HEADER_CHARS_MAX]
    return NotMeasured(f"no {names[0]} header")


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
    )
