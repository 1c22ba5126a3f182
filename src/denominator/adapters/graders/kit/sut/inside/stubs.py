"""Stubs on the solution's side: they say that they were called, and are told what to answer. They keep no record."""

from __future__ import annotations

import itertools
import json
import os
import queue
import threading
import time
from concurrent.futures import Future

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from typing import Any, BinaryIO


class Stubs:
    """From the first stub on a thread reads the session's socket: outcomes go to who waits, requests to `requests`."""

    def __init__(self, sock: socket.socket, lines: BinaryIO, show: Callable[[Any], Any]) -> None:
        self.fd, self.lines, self.show = sock.fileno(), lines, show
        self.requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.waiting: dict[int, Future[Any]] = {}
        self.numbers = itertools.count(1)
        self.lock = threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.lines:
            told = json.loads(line)
            if "outcome" in told:
                self.waiting.pop(told["call"]).set_result(told["outcome"])
            else:
                self.requests.put(line)
        self.requests.put(b"")

    def say(self, **event: Any) -> None:
        write(self.fd, self.lock, json.dumps(event).encode() + b"\n")

    def make(self, number: int, delay_s: float, coroutine: bool, settle: Callable[[Any], Any]) -> Callable[..., Any]:
        """The callable; `settle` returns or raises an outcome."""

        def enter(args: tuple[Any, ...], kwargs: dict[str, Any]) -> int:
            call = next(self.numbers)
            shown = {key: self.show(value) for key, value in kwargs.items()}
            self.say(stub=number, call=call, word="enter", args=[self.show(arg) for arg in args], kwargs=shown)
            return call

        def leave(call: int) -> Future[Any]:
            future = self.waiting[call] = Future()
            self.say(stub=number, call=call, word="leave")
            return future

        def plain(*args: Any, **kwargs: Any) -> Any:
            call = enter(args, kwargs)
            time.sleep(delay_s)
            return settle(leave(call).result())

        async def awaited(*args: Any, **kwargs: Any) -> Any:
            import asyncio

            call = enter(args, kwargs)
            try:
                await asyncio.sleep(delay_s)
                # Shielded: an outcome may come after its caller was cancelled.
                outcome = await asyncio.shield(asyncio.wrap_future(leave(call)))
            except asyncio.CancelledError:
                self.say(stub=number, call=call, word="cancel")
                raise
            return settle(outcome)

        return awaited if coroutine else plain


def write(fd: int, lock: threading.Lock, data: bytes) -> None:
    with lock:
        while data:
            data = data[os.write(fd, data) :]
