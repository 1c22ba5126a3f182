"""An agent's traffic with a model, in every interface, whole or streamed, as the gateway keeps it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from denominator.records.exports import AttemptTrace
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, CallRow, Usage
from denominator.records.values import NotMeasured
from denominator.testing.scripted_apis import as_message, as_response, message_events, response_events
from denominator.wire.arguments import arguments_sha256
from judging_data import own

PATHS = {"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses"}
KEY = AttemptKey("r1", "t1", 1, 1)
Step = tuple[str, list[tuple[str, str, dict[str, Any]]]]
"""What the model says, and its calls: id, name, arguments."""
STORY: tuple[Step, ...] = (
    ("first I look", [("c1", "sh", {"cmd": "ls", "share": 0.5}), ("c2", "sh", {"cmd": "pwd"})]),
    ("again", [("c3", "sh", {"cmd": "ls"})]),
    ("done", []),
)


class Kept(dict[str, bytes]):
    """Bodies by digest."""

    def put(self, body: bytes) -> str:
        sha = hashlib.sha256(body).hexdigest()
        self[sha] = body
        return sha


def history(api: str, before: Iterable[Step], first: str = "go") -> list[dict[str, Any]]:
    """The messages of a request after these answers; every call gave back what it was called."""
    told: list[dict[str, Any]] = [{"role": "user", "content": first}]
    for said, calls in before:
        if api == "chat":
            made = [{"id": i, "function": {"name": n, "arguments": json.dumps(a)}} for i, n, a in calls]
            told.append({"role": "assistant", "content": said, "tool_calls": made})
            told += [{"role": "tool", "tool_call_id": i, "content": f"out of {i}"} for i, _, _ in calls]
        elif api == "messages":
            used = [{"type": "tool_use", "id": i, "name": n, "input": a} for i, n, a in calls]
            told.append({"role": "assistant", "content": [{"type": "text", "text": said}, *used]})
            back = [
                {"type": "tool_result", "tool_use_id": i, "content": [{"type": "text", "text": f"out of {i}"}]}
                for i, _, _ in calls
            ]
            told.append({"role": "user", "content": back})
        else:
            told += [
                {"type": "function_call", "call_id": i, "name": n, "arguments": json.dumps(a)} for i, n, a in calls
            ]
            told += [{"type": "function_call_output", "call_id": i, "output": f"out of {i}"} for i, _, _ in calls]
    return told


def request(api: str, before: Iterable[Step], first: str = "go", system: str = "be good") -> dict[str, Any]:
    turns = history(api, before, first)
    if api == "chat":
        return {"model": "m", "messages": [{"role": "system", "content": system}, *turns]}
    place = {"messages": ("system", "messages"), "responses": ("instructions", "input")}[api]
    return {"model": "m", place[0]: system, place[1]: turns}


def answer(api: str, step: Step, *, streamed: bool) -> bytes:
    said, calls = step
    made = [{"id": i, "type": "function", "function": {"name": n, "arguments": json.dumps(a)}} for i, n, a in calls]
    usage = {
        "prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107, "prompt_tokens_details": {"cached_tokens": 40},
    }  # fmt: skip
    whole = {"id": "x", "model": "m-1", "usage": usage}
    whole["choices"] = [{"index": 0, "message": {"role": "assistant", "content": said, "tool_calls": made}}]
    if api == "chat":
        return _chat_stream(said, made) if streamed else json.dumps(whole).encode()
    document = as_message(whole) if api == "messages" else as_response(whole)
    if not streamed:
        return json.dumps(document).encode()
    events = message_events(document) if api == "messages" else response_events(document)
    return b"".join(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode() for name, data in events)


def _chat_stream(said: str, made: list[dict[str, Any]]) -> bytes:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": said[:2]}, {"content": said[2:]}]
    for n, call in enumerate(made):
        text = call["function"]["arguments"]
        name = {"name": call["function"]["name"], "arguments": text[:3]}
        deltas.append({"tool_calls": [{"index": n, "id": call["id"], "function": name}]})
        deltas.append({"tool_calls": [{"index": n, "function": {"arguments": text[3:]}}]})
    parts = [json.dumps({"choices": [{"index": 0, "delta": delta}]}) for delta in deltas]
    return "".join(f"data: {part}\n\n" for part in [*parts, "[DONE]"]).encode()


def call(seq: int, kept: Kept, api: str, before: Iterable[Step], step: Step, **over: Any) -> CallRow:
    """One exchange as the gateway records it."""
    streamed = bool(over.pop("streamed", False))
    asked = request(api, before, over.pop("first", "go"))
    digests = tuple(f"{name}:{arguments_sha256(given)}" for _, name, given in step[1])
    told: dict[str, Any] = {
        "sent": True, "status": 200, "outcome": "ok", "bodies_kept": True, "thread": "one", "served_model": "m-1",
        "request_sha256": kept.put(json.dumps(asked).encode()),
        "response_sha256": kept.put(answer(api, step, streamed=streamed)), "started_at": "2026-11-27T10:00:00Z",
        "tool_calls": digests, "usage": Usage(prompt=100, completion=7, cached_read=40, calls=1, complete=True),
    }  # fmt: skip
    return CallRow(key=KEY, seq=seq, method="POST", path=PATHS[api], **(told | over))


def traffic(kept: Kept, api: str, *, streamed: bool, story: tuple[Step, ...] = STORY) -> tuple[CallRow, ...]:
    return tuple(call(n + 1, kept, api, story[:n], step, streamed=streamed) for n, step in enumerate(story))


def trace(calls: Iterable[CallRow] = (), bodies: Mapping[str, bytes] | None = None, **over: Any) -> AttemptTrace:
    sums = Usage(prompt=300, completion=21, cached_read=120, calls=3, complete=True)
    row: AttemptRow = over.pop("row", None) or own("t1", incarnations=1, usage=sums, agent_exit=0)
    told: dict[str, Any] = {
        "agent": "coder", "agent_version": "1.2", "model": "m", "prompt": "do it", "own": NotMeasured("none"), "log": b"",
    }  # fmt: skip
    return AttemptTrace(row=row, calls=tuple(calls), bodies=(bodies or {}).__getitem__, **(told | over))
