"""Probes on disk without an endpoint: answers are written as a client would have stored them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from denominator.pipeline.probe_folder import ProbeFolder
from denominator.pipeline.probe_writing import begin, make_probe
from denominator.probe.asking import request_body
from denominator.probe.hearing import hear
from denominator.probe.order import asks
from denominator.records.probe_results import Exchange
from denominator.records.probes import Ask, Case, ProbeSeal, Window
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from probe_data import FIRST, fixture, seal

JSON_CASE = Case(
    id="json-ok",
    group="strict_json",
    kind="json",
    prompt='Give {"ok": true}.',
    request={"response_format": {"type": "json_object"}},
    expect={"value": {"ok": True}},
)
TEXT_CASE = Case(id="say-ok", group="accounting", kind="text", prompt="Say OK.", mode="both", expect={"text": "OK."})
BAD_CASE = Case(id="no-json", group="malformed", kind="malformed", body='{"model": $model, "messages": [')
STORED = (JSON_CASE, TEXT_CASE, BAD_CASE)
TEXTS = {"json-ok": '{"ok": true}', "say-ok": "OK."}
Answers = Callable[[Case, Ask], bytes | None]
"""The bytes of an answer; None leaves the attempt out."""


def answered(body: bytes, status: str = "200 OK", kind: str = "application/json") -> bytes:
    """An answer with its head."""
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def completion(text: str, **more: Any) -> dict[str, Any]:
    """A whole answer as a document."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13}
    return {"id": "c", "object": "chat.completion", "model": "some-model", "choices": [choice], "usage": usage} | more


def stream(text: str, **usage: int) -> bytes:
    """A whole stream of one piece of text."""
    made = {"id": "c", "object": "chat.completion.chunk", "model": "some-model"}
    choices = [
        {"delta": {"role": "assistant", "content": text}, "finish_reason": None},
        {"delta": {}, "finish_reason": "stop"},
    ]
    events = [made | {"choices": [{"index": 0} | one]} for one in choices]
    counts = {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13} | usage
    lines = [json.dumps(one) for one in (*events, made | {"choices": [], "usage": counts})]
    return answered("".join(f"data: {one}\n\n" for one in (*lines, "[DONE]")).encode(), kind="text/event-stream")


def kept(case: Case, ask: Ask) -> bytes:
    """The answer of an endpoint that keeps every promise."""
    if case.control:
        return answered(b'{"error": {"message": "not JSON", "type": "invalid_request_error"}}', "400 Bad Request")
    text = TEXTS.get(case.id, "OK.")
    return stream(text) if ask.mode == "stream" else answered(json.dumps(completion(text)).encode())


def fixture_bytes(cases: Iterable[Case]) -> bytes:
    """The file of these cases."""
    return b"".join(canonical(case) + b"\n" for case in cases)


def sealed(cases: Iterable[Case] = STORED, **terms: Any) -> ProbeSeal:
    """A seal of these cases, its digest that of their file."""
    cases = tuple(cases)
    made = seal(cases, **terms)
    return replace(made, envelope=replace(made.envelope, fixture_sha256=sha256(fixture_bytes(cases)).hexdigest()))


def store(
    root: Path, windows: Mapping[Window, Answers] | Answers = kept, cases: Iterable[Case] = STORED, **terms: Any
) -> ProbeFolder:
    """A probe in which every planned attempt of these windows was answered so."""
    cases, of = tuple(cases), windows if isinstance(windows, Mapping) else {FIRST: windows}
    made = sealed(cases, **terms)
    folder = make_probe(root, made, fixture_bytes(cases))
    frozen = fixture(cases)
    for window, answers in of.items():
        writer = begin(folder, replace(window, seal_sha256=folder.seal_sha256))
        for ask in asks(frozen, made.envelope.run, window.number):
            case = frozen.case(ask.case_id)
            wire = answers(case, ask)
            if wire is not None:
                exchange = _exchange(made, case, ask, window.number, wire)
                redacted = made.envelope.redact_bodies
                writer.put(
                    exchange,
                    hear(case, exchange, made.envelope.endpoint.model, made.envelope.run) if redacted else None,
                )
    return folder


def _exchange(made: ProbeSeal, case: Case, ask: Ask, window: int, wire: bytes) -> Exchange:
    """An answer that arrived whole after 90 ms; without bytes nobody was there."""
    body = request_body(case, ask.mode, made.envelope.endpoint.model)
    none = NotMeasured("no connection")
    return Exchange(
        ask=ask,
        window=window,
        started_at="2026-11-29T08:00:00.000Z",
        end="complete" if wire else "refused",
        wire=wire,
        at=((len(wire), 90_000),) if wire else (),
        end_us=100_000,
        connected_us=1_000 if wire else none,
        sent_us=2_000 if wire else none,
        request_sha256=sha256(body).hexdigest(),
    )
