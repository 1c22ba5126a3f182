"""Answers the requests of one session with plain data only, in a process that imports the solution."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import math
import os

# asyncio is imported where it is needed: it would double the time that a start takes.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    import socket
    from collections.abc import Awaitable, Callable
    from typing import Any, BinaryIO


HERE = os.path.dirname(os.path.abspath(__file__))


class Refused(Exception):
    """The solution returned something that is not plain data."""


def find(target: str) -> Any:
    module, _, path = target.partition(":")
    found = importlib.import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    return found


def encode(value: Any) -> Any:
    kind = type(value)
    if value is None or kind is str or kind is int or kind is bool:
        return value
    if kind is float:
        if not math.isfinite(value):
            raise Refused("a float that is not finite")
        return value
    if kind is list or kind is tuple:
        return ["l" if kind is list else "t", *map(encode, value)]
    if kind is dict:
        if any(type(key) is not str for key in value):
            raise Refused("a dict key that is not a str")
        return ["d", *([key, encode(item)] for key, item in value.items())]
    raise Refused(f"a value of type {kind.__name__}")


class Server:
    def __init__(self, sock: socket.socket, lines: BinaryIO) -> None:
        self.sock, self.lines = sock, lines
        self.objects: list[Any] = []
        self.stubs: Any = None
        self.runner: asyncio.Runner | None = None

    def answer(self, request: dict[str, Any]) -> str:
        """The line that answers a request; whatever the solution raises becomes data."""
        number = request["id"]
        try:
            return json.dumps({"id": number, **self.do(request)})
        except Refused as refused:
            return json.dumps({"id": number, "refused": str(refused)})
        except BaseException as error:
            return json.dumps({"id": number, "raised": describe(error)})

    def do(self, request: dict[str, Any]) -> dict[str, Any]:
        op, target = request["op"], request["target"]
        args = [self.decode(a) for a in request["args"]]
        kwargs = {k: self.decode(v) for k, v in request["kwargs"].items()}
        if op == "stub":
            return {"ok": self.keep(self.stub(*target))}
        if op == "get":
            return {"ok": encode(getattr(self.objects[target[0]], target[1]))}
        function = getattr(self.objects[target[0]], target[1]) if op == "method" else find(target)
        result = self.finish(function, args, kwargs)
        if op == "new":
            return {"ok": self.keep(result)}
        if op == "call_mut":
            return {"ok": encode(result), "args": [encode(a) for a in args]}
        return {"ok": encode(result)}

    def finish(self, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
        result = function(*args, **kwargs)
        return self.wait_for(result) if hasattr(type(result), "__await__") else result

    def wait_for(self, awaitable: Awaitable[Any]) -> Any:
        """One event loop for the whole session, so that locks and queues of a kept object go on working."""
        import asyncio

        async def inside() -> Any:
            return await awaitable

        self.runner = self.runner or asyncio.Runner()
        return self.runner.run(inside())

    def keep(self, thing: Any) -> list[Any]:
        self.objects.append(thing)
        return ["h", len(self.objects) - 1]

    def decode(self, value: Any) -> Any:
        if type(value) is not list:
            return value
        tag, items = value[0], value[1:]
        if tag == "l":
            return [self.decode(item) for item in items]
        if tag == "t":
            return tuple(self.decode(item) for item in items)
        if tag == "d":
            return {key: self.decode(item) for key, item in items}
        return self.objects[items[0]]

    def stub(self, delay_s: float, coroutine: bool) -> Callable[..., Any]:
        if self.stubs is None:
            spec = importlib.util.spec_from_file_location("stubs", os.path.join(HERE, "stubs.py"))
            module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
            spec.loader.exec_module(module)  # type: ignore[union-attr]
            self.stubs = module.Stubs(self.sock, self.lines, show)
        made: Callable[..., Any] = self.stubs.make(len(self.objects), delay_s, coroutine, self.settle)
        return made

    def settle(self, outcome: Any) -> Any:
        """What a stub returns, or raises."""
        kind, value, message = outcome
        if kind == "raise":
            raise find(value if ":" in value else f"builtins:{value}")(message)
        return self.decode(value)

    def line(self) -> bytes:
        """The next request; b"" at the end."""
        return self.lines.readline() if self.stubs is None else self.stubs.requests.get()

    def say(self, data: bytes) -> None:
        with self.stubs.lock if self.stubs is not None else contextlib.nullcontext():
            while data:
                data = data[os.write(self.sock.fileno(), data) :]


def show(value: Any) -> Any:
    """An argument of a stub as plain data, or the name of its type."""
    try:
        return encode(value)
    except Refused:
        return f"<{type(value).__name__}>"


def describe(error: BaseException) -> list[Any]:
    try:
        message = str(error)
    except Exception:
        message = ""
    return [type(error).__name__, str.__str__(message)[:10_000], [base.__name__ for base in type(error).__mro__[1:-1]]]


def rehearse() -> None:
    """Answer a request of nobody, in a process that waits for a session: it leaves nothing."""
    nobody: Any = None
    request = {"id": 0, "op": "call", "target": "builtins:len", "args": [["l", 1, "a"]], "kwargs": {}}
    Server(nobody, nobody).answer(json.loads(json.dumps(request)))


def serve(sock: socket.socket, lines: BinaryIO) -> None:
    """Answer line by line until the other end closes."""
    server = Server(sock, lines)
    while line := server.line():
        server.say(server.answer(json.loads(line)).encode() + b"\n")
