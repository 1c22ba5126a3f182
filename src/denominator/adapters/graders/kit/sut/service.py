"""An HTTP service of the solution, started on its own side and asked through the door."""

from __future__ import annotations

import json
import os
import time

from .door import TIMEOUT_S, Line, door
from .http import Answer, parse, request_bytes
from .values import Broken, read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

READY_S = 20.0
PAUSE_S = 0.02

__all__ = ["Answer", "Service"]


class Service:
    """The command that `[verify] service` declares (or `command`), started afresh; a context manager.

    It runs in the solution's folder with `$PORT`, on which it must serve at 127.0.0.1. It is ready when `ready` (a path)
    answers with a status below 500. `timeout` is seconds for each request, `total_s` for all of them together.
    """

    def __init__(
        self,
        command: str = "",
        *,
        ready: str = "/",
        env: Mapping[str, str] | None = None,
        timeout: float = TIMEOUT_S,
        total_s: float = 60.0,
    ) -> None:
        command = command or os.environ.get("SUT_SERVICE", "")
        if not command:
            raise ValueError("no service is declared: [verify] service in task.toml, or a command here")
        self._timeout, self._ready = timeout, ready
        self._until = time.monotonic() + total_s
        self._line = door().open({"kind": "service", "command": command, "env": dict(env or {})})
        said = self._line.one(time.monotonic() + TIMEOUT_S)
        if said is None:
            self._line.fail("timeout: the solution's side does not say: port")
        port = _word(self._line, said, "port")
        if type(port) is not int or not 0 < port < 65536:
            self._line.fail("the solution's side names no port")
        self._port = port

    def __enter__(self) -> Service:
        try:
            self._wait()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the service; safe to call twice."""
        self._line.close()

    def get(self, path: str, **more: Any) -> Answer:
        return self.request("GET", path, **more)

    def request(
        self, method: str, path: str, *, body: bytes | str = b"", headers: Mapping[str, str] | None = None
    ) -> Answer:
        """One request on a connection of its own. A redirect is an answer like any other: nobody follows it."""
        sent = request_bytes(method, path, body, headers or {})
        deadline = min(self._until, time.monotonic() + self._timeout)
        line = self._dial(deadline)
        if line is None:
            raise Broken("the service takes no connection")
        try:
            line.send(sent, deadline)
            return parse(line, deadline, method)
        finally:
            line.close()

    def json(self, method: str, path: str, value: Any = None) -> Any:
        """Send a value as JSON, want a status below 400, and return the value of the answer."""
        body = b"" if value is None else json.dumps(value).encode()
        return self.request(method, path, body=body, headers={"Content-Type": "application/json"}).json()

    def _dial(self, deadline: float) -> Line | None:
        line = door().open({"kind": "dial", "port": self._port})
        said = line.line(deadline)
        try:
            if read_json(said) == {"connected": True}:
                return line
        except (ValueError, RecursionError):
            line.fail("the solution's side talks nonsense")
        line.close()
        return None

    def _wait(self) -> None:
        deadline = min(self._until, time.monotonic() + READY_S)
        while time.monotonic() < deadline:
            if not self._line.is_quiet():
                raise Broken("the service ended before it was ready")
            try:
                if self.get(self._ready).status < 500:
                    return
            except Broken:
                pass
            time.sleep(PAUSE_S)
        raise Broken("the service did not become ready")


def _word(line: Line, data: bytes, name: str) -> Any:
    try:
        said = read_json(data)
        return said[name]
    except (ValueError, RecursionError, KeyError, TypeError):
        line.fail(f"the solution's side does not say: {name}")
