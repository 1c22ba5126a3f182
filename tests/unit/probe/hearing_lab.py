"""Exchanges made by hand: a case, the bytes of an answer, when they came, how it ended."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from denominator.probe.hearing import hear
from denominator.records.probe_results import Exchange, Heard
from denominator.records.probe_words import PRECEDENCE, Cls
from denominator.records.probes import Ask, Case, Terms

BEHAVIOURS = Path(__file__).resolve().parents[2] / "data" / "probe" / "behaviours"
TERMS = Terms(deadline_ms=3_000, gap_ms=700, slow_ms=1_000)
MODEL = "m"
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 5}},
            "required": ["city", "days"],
            "additionalProperties": False,
        },
    },
}
SHAPE = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}, "count": {"type": "integer"}},
    "required": ["ok", "count"],
    "additionalProperties": False,
}
VALUE = {"ok": True, "count": 2}
TEXT = "café / 第二行 / end"
CASES = {
    "json": Case(
        id="json", group="strict_json", kind="json", prompt="JSON object", mode="both", expect={"value": VALUE}
    ),
    "schema": Case(
        id="schema", group="schema", kind="json", prompt="JSON object", mode="both", expect={"schema": SHAPE}
    ),
    "text": Case(
        id="text", group="unicode", kind="text", prompt=f"exact text: {TEXT}", mode="both", expect={"text": TEXT}
    ),
    "answer": Case(
        id="answer", group="streaming", kind="answer", prompt="Say OK.", mode="both", expect={"contains": "OK"}
    ),
    "cap": Case(id="cap", group="truncation", kind="cap", prompt="1000-word", mode="both"),
    "call": Case(
        id="call",
        group="tools",
        kind="call",
        prompt="weather",
        mode="both",
        request={"tools": [TOOL], "tool_choice": "required"},
        expect={"name": "get_weather"},
    ),
    "malformed": Case(id="malformed", group="malformed", kind="malformed", body='{"model": $model, "messages": "x"}'),
}


def exchange(
    wire: bytes, end: str = "complete", mode: str = "plain", cut: Iterable[int] = (), at_us: int = 1_000, **more: Any
) -> Exchange:
    """An exchange in which the bytes came in pieces that end at `cut`, a millisecond apart."""
    ends = sorted({size for size in (*cut, len(wire)) if 0 < size <= len(wire)})
    stamps = tuple((size, at_us + 1_000 * number) for number, size in enumerate(ends))
    return Exchange(
        **{
            "ask": Ask(seq=1, case_id="c", mode=mode, attempt=1),
            "window": 1,
            "started_at": "2026-11-30T12:00:00Z",
            "end": end,
            "wire": wire,
            "at": stamps,
            "end_us": 500_000,
            "connected_us": 10,
            "sent_us": 20,
            **more,
        }
    )


def http(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None, framing: str = "length") -> bytes:
    """An answer as it goes over the wire."""
    told = {"content-type": "application/json"} | dict(headers or {})
    if framing == "length" and "content-length" not in told:
        told["content-length"] = str(len(body))
    if framing == "chunked":
        told["transfer-encoding"] = "chunked"
        body = chunked(body)
    head = "".join(f"{name}: {value}\r\n" for name, value in told.items())
    return f"HTTP/1.1 {status} X\r\n{head}\r\n".encode("latin-1") + body


def chunked(body: bytes, size: int = 40, last: bool = True) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + (b"0\r\n\r\n" if last else b"")


def document(
    content: Any = "OK.", finish: Any = "stop", usage: Any = (12, 9), message: Any = None, **more: Any
) -> dict:
    """A chat completion. `usage` (prompt, completion) or as it is; `...` leaves a thing out."""
    held = {"role": "assistant", "content": content} | (message or {})
    choice = {"index": 0, "message": {name: value for name, value in held.items() if value is not ...}}
    if finish is not ...:
        choice["finish_reason"] = finish
    made = {"id": "x", "object": "chat.completion", "model": MODEL, "choices": [choice], "usage": counts(usage)} | more
    return {name: value for name, value in made.items() if value is not ...}


def counts(usage: Any) -> Any:
    if not isinstance(usage, tuple):
        return usage
    prompt, completion = usage
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def chunk(delta: Any = None, finish: Any = None, **more: Any) -> dict:
    choice = {"index": 0, "delta": delta if delta is not None else {}, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion.chunk", "model": MODEL, "choices": [choice]} | more


def last(usage: Any = (12, 9)) -> dict:
    return {"id": "x", "model": MODEL, "choices": [], "usage": counts(usage)}


def events(*each: Any, done: bool = True) -> bytes:
    """The text of a stream; bytes go in as they are."""
    texts = [one if isinstance(one, bytes) else b"data: " + dumps(one) + b"\n\n" for one in each]
    return b"".join(texts) + (b"data: [DONE]\n\n" if done else b"")


def spoken(*texts: str, finish: Any = "stop", usage: Any = (12, 9), done: bool = True) -> bytes:
    """A sound stream that says these pieces."""
    said = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": text}) for text in texts)]
    return events(*said, chunk({}, finish), *([] if usage is None else [last(usage)]), done=done)


def call(arguments: Any = '{"city": "Oslo", "days": 3}', id_: Any = "call_1", name: str = "get_weather") -> dict:
    made = {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}
    return {key: value for key, value in made.items() if value is not ...}


def called(*calls: Any, finish: Any = "tool_calls", **more: Any) -> dict:
    return document(None, finish, message={"tool_calls": list(calls)}, **more)


def dumps(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def plain(case: str | Case, body: Any, end: str = "complete", terms: Terms = TERMS, **more: Any) -> Heard:
    """What is heard of a document, or of a body in bytes."""
    data = body if isinstance(body, bytes) else dumps(body)
    return hear(of(case), exchange(http(data, **more), end), MODEL, terms)


def stream(case: str | Case, body: bytes, end: str = "complete", terms: Terms = TERMS, **more: Any) -> Heard:
    """What is heard of a stream."""
    wire = http(body, **{"headers": {"content-type": "text/event-stream"}, "framing": "chunked"} | more)
    return hear(of(case), exchange(wire, end, "stream"), MODEL, terms)


def of(case: str | Case) -> Case:
    return CASES[case] if isinstance(case, str) else case


def word(heard: Heard) -> str:
    """class:reason of the one class, "pass" where there is none."""
    broken = [one for one in heard.faults if not one.observed]
    first = min(broken, key=lambda one: PRECEDENCE.index(Cls(one.cls)), default=None)
    return first.word if first else "pass"


def also(heard: Heard) -> set[str]:
    """Everything else that holds."""
    return {one.word for one in heard.faults} - {word(heard)}


def scripted(behaviour: Mapping[str, Any]) -> tuple[bytes, str]:
    """The wire of a scripted response, how its reading ends, and what the server would have to be sent."""
    response = behaviour["response"]
    body = [_bytes(one) for one in response["chunks"]]
    names = {name.lower() for name, _ in response.get("headers", [])}
    head = [*response.get("headers", []), ["date", "Mon, 30 Nov 2026 12:00:00 GMT"]]
    framing, close = response["framing"], response["close"]
    if framing == "length" and "content-length" not in names:
        head.append(["content-length", str(sum(map(len, body)))])
    if framing == "chunked":
        head.append(["transfer-encoding", "chunked"])
        body = [b"%x\r\n%s\r\n" % (len(one), one) for one in body if one]
        body += [body[-1]] * 5 if close == "drip" else []
        body += [b"0\r\n\r\n"] if close in ("keep", "close", "stale") else []
    lines = "".join(f"{name}: {value}\r\n" for name, value in head)
    wire = (
        b""
        if framing == "none"
        else f"HTTP/1.1 {response['status']} X\r\n{lines}\r\n".encode("latin-1") + b"".join(body)
    )
    return wire, _end(behaviour)


def _end(behaviour: Mapping[str, Any]) -> str:
    response = behaviour["response"]
    close, framing = response["close"], response["framing"]
    if close == "hang":
        return "gap" if framing == "chunked" else "deadline"
    if framing == "none":
        return "fin"
    return {"drip": "deadline", "reset": "reset", "truncate": "fin"}.get(close, "complete")


def _bytes(piece: Mapping[str, Any]) -> bytes:
    data = base64.b64decode(piece["b64"]) if "b64" in piece else piece.get("bytes", "").encode()
    return data * piece.get("repeat", 1)
