"""Talks the Docker Engine API over a unix socket: JSON in, JSON out, one connection a request.

dockerd and Podman both answer version 1.41 of it. Anything that is not an answer of the API is an `EngineError`.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from denominator.errors import MachineError

__all__ = ["Connection", "Engine", "EngineError", "EngineGoneError", "socket_path"]

API = "v1.41"
TIMEOUT_S = 60.0
ANSWER_BYTES_MAX = 16 << 20
REMOVALS, BETWEEN_S = 5, 0.2
PLACES = ("/run/docker.sock", "/var/run/docker.sock", "/run/podman/podman.sock")


class EngineError(Exception):
    """The engine refused, or did not answer; `status` is the HTTP status, 0 without one."""

    def __init__(self, words: str, status: int = 0) -> None:
        super().__init__(words)
        self.status = status


class EngineGoneError(EngineError):
    """Nobody answers at the engine's socket: it ended, it is being restarted, or it hangs."""


def socket_path(named: str) -> Path:
    """The engine's socket: `named` as a path or unix:// address, else the first usual place that exists."""
    scheme, mark, rest = named.partition("://")
    if mark and scheme != "unix":
        raise MachineError(
            f"an engine is reached by a unix socket, not by {scheme}://",
            where="DOCKER_HOST",
            fix="use an engine on this machine: DOCKER_HOST=unix:///run/docker.sock",
        )
    if named:
        return Path(rest if mark else named)
    return next((Path(place) for place in PLACES if Path(place).exists()), Path(PLACES[0]))


class Connection(http.client.HTTPConnection):
    """HTTP to a unix socket."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        super().__init__("engine", timeout=timeout_s)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


class Engine:
    """One engine. Methods raise `EngineError` with the engine's own words."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def call(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None = None,
        body: object = None,
        *,
        timeout_s: float = TIMEOUT_S,
        stream: Iterable[bytes] | None = None,
    ) -> Any:
        """One request; the parsed answer, None for an empty one. `stream` is a body of another kind, sent in chunks."""
        target = f"/{API}{path}" + (f"?{urlencode(query)}" if query else "")
        headers = {"Host": "engine", "Content-Type": "application/x-tar" if stream else "application/json"}
        if stream is not None:
            headers["Transfer-Encoding"] = "chunked"
        data = stream if stream is not None else (json.dumps(body).encode() if body is not None else None)
        connection = Connection(self.path, timeout_s)
        try:
            with contextlib.suppress(BrokenPipeError):  # it refused before it had read all: its answer says why
                connection.request(method, target, data, headers, encode_chunked=stream is not None)
            answer = connection.getresponse()
            status, said = answer.status, answer.read(ANSWER_BYTES_MAX)
        except (OSError, http.client.HTTPException) as error:
            raise EngineGoneError(f"the engine at {self.path} does not answer: {error}") from error
        finally:
            connection.close()
        if status >= 400:
            raise EngineError(_message(said) or f"HTTP {status}", status)
        return _parsed(said)

    def version(self) -> dict[str, Any]:
        """What the engine is: Version, ApiVersion, Components."""
        return _object(self.call("GET", "/version"))

    def is_podman(self) -> bool:
        """Podman reads a few fields of the same API in its own way."""
        parts = self.version().get("Components") or []
        return any("podman" in str(each.get("Name", "")).lower() for each in parts if isinstance(each, dict))

    def image(self, name: str) -> dict[str, Any]:
        """An image by name, digest or id: Id, RepoDigests, Config."""
        return _object(self.call("GET", f"/images/{quote(name, safe='')}/json"))

    def create(self, name: str, spec: Mapping[str, object]) -> str:
        """A container, not started; returns its id."""
        return str(_object(self.call("POST", "/containers/create", {"name": name}, spec))["Id"])

    def start(self, container: str) -> None:
        self.call("POST", f"/containers/{container}/start")

    def inspect(self, container: str) -> dict[str, Any]:
        return _object(self.call("GET", f"/containers/{container}/json"))

    def kill(self, container: str) -> None:
        """SIGKILL to all of it; one that does not run is no error."""
        try:
            self.call("POST", f"/containers/{container}/kill", {"signal": "KILL"})
        except EngineError as error:
            if error.status not in (404, 409, 500):
                raise

    def wait(self, container: str, timeout_s: float) -> bool:
        """Wait for its end; False when it still runs after `timeout_s`."""
        try:
            self.call("POST", f"/containers/{container}/wait", timeout_s=timeout_s)
        except EngineError as error:
            if isinstance(error, EngineGoneError) and not isinstance(error.__cause__, TimeoutError):
                raise
            return error.status == 404
        return True

    def remove(self, container: str) -> None:
        """Kill and remove it, with the volumes that it made; one that is gone is no error."""
        for left in reversed(range(REMOVALS)):
            try:
                self.call("DELETE", f"/containers/{container}", {"force": "true", "v": "true"})
            except EngineError as error:
                if error.status in (404, 409):  # 409: another remover is at it
                    return
                if error.status != 500 or not left:  # 500: Podman says so of one that ends at this moment
                    raise
                time.sleep(BETWEEN_S)
            else:
                return

    def labelled(self, label: str) -> list[dict[str, Any]]:
        """Every container with this label ("name" or "name=value"), dead ones too."""
        found = self.call("GET", "/containers/json", {"all": "true", "filters": json.dumps({"label": [label]})})
        return [each for each in found or [] if isinstance(each, dict)]


def _message(said: bytes) -> str:
    answer = _parsed(said)
    word = (answer.get("message") or answer.get("cause")) if isinstance(answer, dict) else answer
    return str(word or "").strip()[:2000]


def _parsed(said: bytes) -> Any:
    """JSON, or the last of several JSON lines; other text as it is."""
    text = said.decode("utf-8", "replace").strip()
    for part in (text, text.rpartition("\n")[2]):
        try:
            return json.loads(part)
        except ValueError:
            continue
    return text or None


def _object(answer: Any) -> dict[str, Any]:
    if not isinstance(answer, dict):
        raise EngineError(f"the engine gave no object but {str(answer)[:200]!r}")
    return answer
