"""Answers of the replay server in few words, and rows of behaviours: name, request that it is for, answer, class, reason."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

JSON = [["content-type", "application/json"]]
SSE = [["content-type", "text/event-stream"]]
GOOD_JSON = '{"ok": true, "count": 2}'
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
SAY = {"malformed": False, "stream": False, "tools": False, "prompt": "Say OK"}
SAY_STREAM = {**SAY, "stream": True}
ASK_JSON = {"malformed": False, "stream": False, "tools": False, "prompt": "JSON object"}
LONG = {"malformed": False, "stream": False, "tools": False, "prompt": "1000-word"}
EXACT = {"malformed": False, "stream": False, "tools": False, "prompt": "exact text"}
TOOL = {"malformed": False, "stream": False, "tools": True, "prompt": "weather"}
TOOL_STREAM = {**TOOL, "stream": True}
WRONG = {"malformed": True}
ARGS = '{"city":"Oslo","days":3}'


def plain(content: Any = "OK.", finish: Any = "stop", usage: Any = USAGE, **message: Any) -> dict[str, Any]:
    """A whole answer as a document."""
    said = {"role": "assistant", "content": content, **message}
    made = {
        "id": "chatcmpl-f",
        "object": "chat.completion",
        "created": 1700000000,
        "model": "conformant",
        "choices": [{"index": 0, "message": said, "logprobs": None, "finish_reason": finish}],
    }
    return made if usage is None else {**made, "usage": usage}


def answer(body: Any, status: int = 200, headers: Any = JSON, **more: Any) -> dict[str, Any]:
    """A response of the replay server: a document, text or bytes."""
    raw = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    chunk = {"b64": base64.b64encode(raw).decode()}
    return {"status": status, "headers": headers, "framing": "length", "chunks": [chunk], "close": "keep", **more}


def event(delta: Any = None, finish: Any = None, **more: Any) -> str:
    """One event of a stream."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
    made = {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": "conformant",
        "choices": choices,
    }
    return "data: " + json.dumps({**made, **more}, ensure_ascii=False) + "\n\n"


START, END, COUNTED, DONE = (
    event({"role": "assistant", "content": ""}),
    event({}, "stop"),
    event(usage=USAGE),
    "data: [DONE]\n\n",
)
WHOLE = (START, event({"content": "OK."}), END, COUNTED, DONE)


def stream(*parts: str | bytes, close: str = "keep", headers: Any = SSE, framing: str = "chunked") -> dict[str, Any]:
    """A streamed response, a chunk a part."""
    raw = [one if isinstance(one, bytes) else one.encode() for one in parts]
    chunks = [{"b64": base64.b64encode(one).decode()} for one in raw]
    return {"status": 200, "headers": headers, "framing": framing, "chunks": chunks, "close": close}


def called(
    arguments: Any = ARGS, finish: Any = "tool_calls", name: str = "get_weather", content: Any = None, **call: Any
) -> dict[str, Any]:
    """An answer with one tool call."""
    one = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}, **call}
    return plain(content, finish, tool_calls=[one])


def piece(**call: Any) -> str:
    return event({"tool_calls": [call]})


TOOL_START = piece(index=0, id="call_1", type="function", function={"name": "get_weather", "arguments": ""})
TOOL_END = event({}, "tool_calls")

SAID = event({"content": "OK."})
BODY = json.dumps(plain()).encode()
TYPE, LENGTH = "Content-Type: application/json", f"Content-Length: {len(BODY)}"
STREAMED = ("Content-Type: text/event-stream", "Transfer-Encoding: chunked")
Row = tuple[str, Mapping[str, Any], dict[str, Any], str, str]


def heads(*lines: str, first: str = "HTTP/1.1 200 OK") -> bytes:
    """The head of an answer."""
    return "\r\n".join([first, *lines, "", ""]).encode("latin-1")


def chunked(*parts: str | bytes, extension: str = "", last: str = "0\r\n\r\n") -> bytes:
    """Parts as chunks of HTTP."""
    raw = [one if isinstance(one, bytes) else one.encode() for one in parts]
    return b"".join(b"%x%s\r\n%s\r\n" % (len(one), extension.encode(), one) for one in raw) + last.encode()


def wire(*parts: str | bytes | tuple[Any, ...], close: str = "close") -> dict[str, Any]:
    """Bytes from the status line on; a part may be (delay in ms, bytes) or (delay, bytes, times, every so many ms)."""
    chunks = []
    for part in parts:
        delay, data, *again = part if isinstance(part, tuple) else (0, part)
        raw = data if isinstance(data, bytes) else data.encode()
        more = {"repeat": again[0], "every_ms": again[1]} if again else {}
        chunks.append({"delay_ms": delay, "b64": base64.b64encode(raw).decode(), **more})
    return {"status": 200, "headers": [], "framing": "none", "chunks": chunks, "close": close}


def ok(name: str, when: Mapping[str, Any], response: dict[str, Any]) -> Row:
    """A legal oddity."""
    return name, when, response, "pass", ""


def bad(name: str, when: Mapping[str, Any], response: dict[str, Any], cls: str, reason: str) -> Row:
    """A broken promise."""
    return name, when, response, cls, reason
