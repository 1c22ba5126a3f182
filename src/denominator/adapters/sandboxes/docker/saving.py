"""A whole image as a stream: the tar that `docker save` writes, taken from the engine and kept nowhere."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol
from urllib.parse import quote

from denominator.adapters.sandboxes.docker.client import API, Connection, Engine, EngineError

__all__ = ["Stream", "saved"]

TIMEOUT_S = 300.0


class Stream(Protocol):
    """Gives its next bytes; none at the end."""

    def read(self, size: int = -1, /) -> bytes:
        """At most `size` bytes. Raises OSError when the engine breaks off."""
        ...


class _Answer:
    """An answer of the engine; one that breaks off is an OSError, whatever HTTP calls it."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self._answer = answer

    def read(self, size: int = -1, /) -> bytes:
        try:
            return self._answer.read(None if size < 0 else size)
        except http.client.HTTPException as error:
            raise OSError(f"the engine broke off: {error}") from error


@contextmanager
def saved(engine: Engine, reference: str) -> Iterator[Stream]:
    """Layers and configuration of an image by name, id or digest. Raises `EngineError` when the engine has none."""
    connection = Connection(engine.path, TIMEOUT_S)
    try:
        try:
            connection.request("GET", f"/{API}/images/{quote(reference, safe='')}/get", headers={"Host": "engine"})
            answer = connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            raise EngineError(f"the engine at {engine.path} does not answer: {error}") from error
        if answer.status >= 400:
            raise EngineError(answer.read(4096).decode("utf-8", "replace").strip(), answer.status)
        yield _Answer(answer)
    finally:
        connection.close()
