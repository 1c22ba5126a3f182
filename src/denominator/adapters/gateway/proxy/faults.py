"""Faults that the gateway makes in the provider's place, for the fault bench; each is marked on its call before it acts.

Which calls are hit is declared by place (task, repeat, attempt, number of the call), so a fault is the same in every run.
A fault in the provider's place sends nothing; a fault in an answer lets the provider answer first.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from denominator.adapters.gateway.headers import Headers
from denominator.adapters.gateway.proxy.answers import Answer, Body, BrokenError, Origin, Outgoing
from denominator.adapters.gateway.proxy.cassette import EVENT_END
from denominator.adapters.gateway.proxy.flow import Flow
from denominator.records.envelopes import ProviderFault
from denominator.wire.encodings import ENCODED, unpacker
from denominator.wire.providers import Api

RETRY_AFTER_S = 1
STATUS = 500
EVENTS = 1
DRIP_MS = 1000
DRIP_BYTES = 64
JSON_TYPE = ("content-type", "application/json")
OUTPUT_COUNTS = ("completion_tokens", "output_tokens")
WITH_USAGE = ("response", "message")


class FaultyOrigin:
    """An origin (`answers.Origin`) in front of another; the first fault of the plan that names a call acts on it."""

    def __init__(self, inner: Origin, plan: tuple[ProviderFault, ...]) -> None:
        self._inner = inner
        self._plan = plan

    async def answer(self, call: Outgoing) -> Answer:
        """The answer that the fault makes, or the inner one."""
        fault = next((one for one in self._plan if hits(one, call)), None)
        if fault is None:
            return await self._inner.answer(call)
        call.marks.injected = fault.kind
        if fault.kind == "no_answer":
            raise BrokenError("no_answer")
        if fault.kind in INSTEAD:
            return INSTEAD[fault.kind](fault, call.api)
        answer = await self._inner.answer(replace(call, headers=_unpacked(call.headers)))
        made = SPOILED[fault.kind](fault, _plain(answer))
        return replace(made, body=Flow(made.body, answer.body))

    async def close(self) -> None:
        """Closes the inner one."""
        await self._inner.close()


def hits(fault: ProviderFault, call: Outgoing) -> bool:
    """Does a fault name this call? "" and 0 mean every one."""
    key = call.key
    places = ((fault.task, key.task_id), (fault.repeat, key.repeat), (fault.attempt, key.attempt))
    return all(not wanted or wanted == have for wanted, have in places) and (
        fault.call <= call.seq < fault.call + fault.times
    )


def _rate_limit(_fault: ProviderFault, api: Api) -> Answer:
    return refusal(api, 429, "rate_limit_error", "rate_limit_exceeded", [])


def _rate_limit_wait(fault: ProviderFault, api: Api) -> Answer:
    wait = [("retry-after", str(fault.value or RETRY_AFTER_S))]
    return refusal(api, 429, "rate_limit_error", "rate_limit_exceeded", wait)


def _server_error(fault: ProviderFault, api: Api) -> Answer:
    return refusal(api, fault.value or STATUS, "api_error" if api is Api.MESSAGES else "server_error", "", [])


def refusal(api: Api, status: int, kind: str, code: str, headers: Headers) -> Answer:
    """An error as the provider of an interface shapes it."""
    error: dict[str, Any] = {"type": kind, "message": "made by the harness"}
    if api is Api.MESSAGES:
        document: dict[str, Any] = {"type": "error", "error": error}
    else:
        document = {"error": {**error, "code": code or None, "param": None}}
    body = json.dumps(document).encode()
    return Answer(status=status, headers=[JSON_TYPE, *headers], body=Flow(_once(body)), length=len(body))


async def _once(body: bytes) -> AsyncGenerator[bytes, None]:
    yield body


def _cut(fault: ProviderFault, answer: Answer) -> Answer:
    return replace(answer, body=Flow(_cut_body(answer, fault.value or EVENTS)))


async def _cut_body(answer: Answer, events: int) -> AsyncGenerator[bytes, None]:
    """So many events of a stream, or the first half of what comes first of another body."""
    async with aclosing(_events(answer.body) if streamed(answer) else answer.body) as pieces:
        seen = 0
        async for piece in pieces:
            if not streamed(answer):
                yield piece[: len(piece) // 2]
                break
            yield piece
            seen += 1
            if seen == events:
                break
    raise BrokenError("response_cut")


def _drip(fault: ProviderFault, answer: Answer) -> Answer:
    return replace(answer, body=Flow(_drip_body(answer, (fault.value or DRIP_MS) / 1000)))


async def _drip_body(answer: Answer, pause_s: float) -> AsyncGenerator[bytes, None]:
    async with aclosing(_events(answer.body) if streamed(answer) else _small(answer.body)) as pieces:
        async for piece in pieces:
            yield piece
            await asyncio.sleep(pause_s)


def _usage(fault: ProviderFault, answer: Answer) -> Answer:
    return replace(answer, body=Flow(_usage_body(answer, fault.value)), length=None)


async def _usage_body(answer: Answer, count: int) -> AsyncGenerator[bytes, None]:
    """Counts that are not true: none at all, or another number of output tokens under the old total."""
    if not streamed(answer):
        async with aclosing(answer.body) as pieces:
            yield wrong_usage(b"".join([piece async for piece in pieces]), count)
        return
    async with aclosing(_events(answer.body)) as events:
        async for event in events:
            yield b"".join(_wrong_line(line, count) for line in event.splitlines(keepends=True))


def _wrong_line(line: bytes, count: int) -> bytes:
    if not line.startswith(b"data:") or b'"usage"' not in line:
        return line
    text = line[len(b"data:") :]
    bare = text.strip()
    return b"data: " + wrong_usage(bare, count) + text[len(text.rstrip()) :]


def wrong_usage(document: bytes, count: int) -> bytes:
    """A JSON document with other counts; 0 takes them away. What is no document stays as it is."""
    try:
        read = json.loads(document)
    except ValueError:
        return document
    return json.dumps(_with_usage(read, count), separators=(",", ":")).encode() if isinstance(read, dict) else document


def _with_usage(document: Mapping[str, Any], count: int) -> dict[str, Any]:
    found = dict(document)
    for name in WITH_USAGE:
        if isinstance(found.get(name), dict):
            found[name] = _with_usage(found[name], count)
    if isinstance(found.get("usage"), dict):
        told = {name: count for name in OUTPUT_COUNTS if name in found["usage"]}
        found["usage"] = {**found["usage"], **told} if count else None
    return found


async def _events(body: Body) -> AsyncGenerator[bytes, None]:
    """A stream event by event, however its bytes arrive."""
    held = b""
    async with aclosing(body):
        async for piece in body:
            held += piece
            while end := EVENT_END.search(held):
                yield held[: end.end()]
                held = held[end.end() :]
    if held:
        yield held


async def _small(body: Body) -> AsyncGenerator[bytes, None]:
    async with aclosing(body):
        async for piece in body:
            for at in range(0, len(piece), DRIP_BYTES):
                yield piece[at : at + DRIP_BYTES]


def streamed(answer: Answer) -> bool:
    """Is the body a stream of events?"""
    return _header(answer.headers, "content-type").startswith("text/event-stream")


def _plain(answer: Answer) -> Answer:
    """The answer without its content encoding, so that its events can be told apart."""
    if _header(answer.headers, "content-encoding") not in ENCODED:
        return answer
    headers = [(name, value) for name, value in answer.headers if name.lower() != "content-encoding"]
    return replace(answer, headers=headers, body=Flow(_unzipped(answer.body)), length=None)


async def _unzipped(body: Body) -> AsyncGenerator[bytes, None]:
    unzip = unpacker()
    async with aclosing(body):
        async for piece in body:
            try:
                yield unzip.decompress(piece)
            except zlib.error:
                raise BrokenError("encoding_broken") from None


def _unpacked(headers: Headers) -> Headers:
    """The request without a wish for a compressed answer."""
    return [(name, value) for name, value in headers if name.lower() != "accept-encoding"]


def _header(headers: Headers, wanted: str) -> str:
    return next((value.strip().lower() for name, value in headers if name.lower() == wanted), "")


INSTEAD: Mapping[str, Callable[[ProviderFault, Api], Answer]] = {
    "rate_limit": _rate_limit,
    "rate_limit_wait": _rate_limit_wait,
    "server_error": _server_error,
}
SPOILED: Mapping[str, Callable[[ProviderFault, Answer], Answer]] = {
    "cut_stream": _cut,
    "slow_drip": _drip,
    "wrong_usage": _usage,
}
