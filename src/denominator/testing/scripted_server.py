"""A model that plays a script on loopback, for tests of agents and of the relay: OpenAI chat completions and responses,
Anthropic messages, streamed and not.

It keeps no state: the step is the number of assistant messages in the request, so a retry gets the same answer.
Each step is one call of a shell tool (`bash` with `{"command": ...}`, or the one that the agent offers), or a `Say`: an
answer in words, as agents want it that take edits out of the text; after the last one it answers "done".
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from denominator.testing.scripted_apis import (
    Event,
    as_message,
    as_response,
    from_messages,
    from_responses,
    message_events,
    response_events,
)

MODEL = "scripted-1"
FINGERPRINT = "fp-scripted"
SHELLS: Mapping[str, Callable[[str], Mapping[str, Any]]] = {
    "bash": lambda command: {"command": command},
    "Bash": lambda command: {"command": command},
    "terminal": lambda command: {"command": command, "security_risk": "LOW"},
    "shell_command": lambda command: {"command": command},
    "shell": lambda command: {"command": ["bash", "-lc", command]},
    "exec_command": lambda command: {"cmd": command},
}
"""Names of shell tools of known agents, and how each takes a command."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An answer that is none: status, headers, and either a body or stream events after which the stream just ends."""

    status: int
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Say:
    """An answer in words."""

    text: str


class ScriptedServer:
    """`with ScriptedServer(["ls", ...]) as server:` serves at `server.url`; `server.requests` holds what was asked.

    A function in the list's place chooses the commands by the request, which must give the same for every step.
    `fault` may answer a request in the model's place (its number from 1, the request): None lets the model answer.
    """

    def __init__(
        self,
        commands: Sequence[str | Say] | Callable[[Mapping[str, Any]], Sequence[str | Say]],
        fault: Callable[[int, Mapping[str, Any]], Fault | None] | None = None,
    ) -> None:
        self.commands = commands
        self.fault = fault or (lambda _number, _request: None)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self._http = _Http(("127.0.0.1", 0), _Handler, self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """The base address, with /v1."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The whole answer to a request, as a document that is not streamed."""
        step = sum(1 for message in request["messages"] if message.get("role") == "assistant")
        message: dict[str, Any] = {"role": "assistant", "content": f"step {step + 1}"}
        finish = "stop"
        commands = self.commands(request) if callable(self.commands) else self.commands
        next_ = commands[step] if step < len(commands) else Say("done")
        if isinstance(next_, Say):
            message["content"] = next_.text
        else:
            function = _shell_call(request, next_)
            call = {"id": f"call-{step + 1}", "type": "function", "function": function}
            message["tool_calls"], finish = [call], "tool_calls"
        return {
            "id": f"scripted-{step + 1}",
            "object": "chat.completion",
            "created": 0,
            "model": request.get("model", MODEL),
            "system_fingerprint": FINGERPRINT,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": usage_of(request, message),
        }


def _shell_call(request: Mapping[str, Any], command: str) -> dict[str, str]:
    """A call of the shell that the request offers; of `bash` where it offers none that is known."""
    offered = [(tool.get("function") or {}).get("name") for tool in request.get("tools") or ()]
    name = next((one for one in offered if isinstance(one, str) and one in SHELLS), "bash")
    return {"name": name, "arguments": json.dumps(SHELLS[name](command))}


def usage_of(request: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
    """Token counts made from lengths: four characters a token, the first message counted as cached."""
    prompt = len(json.dumps(request["messages"])) // 4
    completion = len(json.dumps(message)) // 4
    cached = min(prompt, len(json.dumps(request["messages"][:1])) // 4)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }


def stream_of(answer: Mapping[str, Any], *, with_usage: bool) -> list[str]:
    """The same answer as the data of stream events, arguments in two pieces, `[DONE]` last."""
    choice = answer["choices"][0]
    message = choice["message"]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": message["content"]}]
    for index, call in enumerate(message.get("tool_calls", [])):
        text, name = call["function"]["arguments"], call["function"]["name"]
        half = len(text) // 2
        deltas.append({"tool_calls": [{"index": index, **call, "function": {"name": name, "arguments": text[:half]}}]})
        deltas.append({"tool_calls": [{"index": index, "function": {"arguments": text[half:]}}]})
    head = {
        **{k: answer[k] for k in ("id", "created", "model", "system_fingerprint")},
        "object": "chat.completion.chunk",
    }
    rows = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    rows.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    if with_usage:
        rows.append({**head, "choices": [], "usage": answer["usage"]})
    return [*(json.dumps(row) for row in rows), "[DONE]"]


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler], script: ScriptedServer) -> None:
        self.script = script
        super().__init__(address, handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._json(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})
        else:
            self._json(404, {"error": {"type": "not_found", "message": "no such path"}})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        if path not in ("/v1/chat/completions", "/v1/responses", "/v1/messages"):
            self._json(404, {"error": {"type": "not_found", "message": "no such path"}})
            return
        request = json.loads(body)
        self.server.script.requests.append(request)
        self.server.script.headers.append(dict(self.headers.items()))
        fault = self.server.script.fault(len(self.server.script.requests), request)
        if fault is not None:
            self._fail(fault)
            return
        if path == "/v1/responses":
            response = as_response(self.server.script.answer(from_responses(request)))
            self._named(request, response, list(response_events(response)))
            return
        if path == "/v1/messages":
            message = as_message(self.server.script.answer(from_messages(request)))
            self._named(request, message, list(message_events(message)))
            return
        answer = self.server.script.answer(request)
        if request.get("stream"):
            asked = (request.get("stream_options") or {}).get("include_usage") is True
            self._stream(stream_of(answer, with_usage=asked))
        else:
            self._json(200, answer)

    def _named(self, request: Mapping[str, Any], whole: Mapping[str, Any], events: Sequence[Event]) -> None:
        """The whole answer, or its named stream events where a stream is asked for."""
        if request.get("stream"):
            self._stream([json.dumps(data) for _, data in events], [name for name, _ in events])
        else:
            self._json(200, whole)

    def _json(self, status: int, document: Mapping[str, Any]) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _fail(self, fault: Fault) -> None:
        if fault.events:
            self._stream(fault.events)
            return
        body = json.dumps(fault.body or {}).encode()
        self.send_response(fault.status)
        for name, value in {"Content-Type": "application/json", **fault.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, rows: Sequence[str], names: Sequence[str] = ()) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, row in enumerate(rows):
            name = f"event: {names[number]}\n" if names else ""
            data = f"{name}data: {row}\n\n".encode()
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Quiet."""
