"""Cassettes and calls for tests of what plays them; origins that answer what they are told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from pathlib import Path

from denominator.adapters.gateway.proxy.answers import Answer, BrokenError, Origin, Outgoing
from denominator.adapters.store.blobs import FolderBlobs
from denominator.records.cassettes import Cassette, RecordedCall
from denominator.records.keys import AttemptKey
from denominator.wire.cassettes import BLOBS, read_cassette, write_cassette
from denominator.wire.providers import Api
from denominator.wire.requests import request_form

STREAM = (
    b'data: {"a":1}\n\ndata: {"usage":{"prompt_tokens":4,"completion_tokens":5,"total_tokens":9}}\n\ndata: [DONE]\n\n'
)
SSE = {"content-type": "text/event-stream"}
PLAIN = {"content-type": "application/json"}


def call(body: bytes = b'{"n":1}', seq: int = 1, task: str = "t", api: Api = Api.CHAT, attempt: int = 1) -> Outgoing:
    return Outgoing(
        method="POST", below="/chat/completions", query="", headers=[("Accept-Encoding", "gzip")], credential="authorization",
        body=body, api=api, key=AttemptKey("r", task, 1, attempt), incarnation=1, seq=seq,
    )  # fmt: skip


class Told:
    """An origin that gives one answer, piece by piece; `closed` says whether its body was."""

    def __init__(self, pieces: Iterable[bytes], headers: Mapping[str, str] = SSE, status: int = 200) -> None:
        self.pieces, self.headers, self.status = list(pieces), headers, status
        self.asked: list[Outgoing] = []
        self.closed = False

    async def answer(self, asked: Outgoing) -> Answer:
        self.asked.append(asked)
        asked.marks.sent = True
        return Answer(status=self.status, headers=list(self.headers.items()), body=Body(self), length=None)

    async def close(self) -> None:
        self.closed = True


class Body(AsyncGenerator[bytes, None]):
    """A body that knows whether it was closed, begun or not."""

    def __init__(self, told: Told) -> None:
        self.told, self.at = told, 0

    async def asend(self, value: None) -> bytes:
        if self.at == len(self.told.pieces):
            raise StopAsyncIteration
        self.at += 1
        return self.told.pieces[self.at - 1]

    async def athrow(self, *thrown: object) -> bytes:
        raise AssertionError(thrown)

    async def aclose(self) -> None:
        self.told.closed = True


def got(origin: Origin, asked: Outgoing, wait_s: float = 5.0) -> tuple[Answer | None, list[bytes], str, int]:
    """(head, pieces, word of a break, its status); the word "waits" where nothing comes any more."""
    return asyncio.run(_got(origin, asked, wait_s))


async def _got(origin: Origin, asked: Outgoing, wait_s: float) -> tuple[Answer | None, list[bytes], str, int]:
    head, pieces = None, []
    try:
        async with asyncio.timeout(wait_s):
            head = await origin.answer(asked)
            async for piece in head.body:
                pieces.append(piece)
    except BrokenError as error:
        return head, pieces, error.word, error.status
    except TimeoutError:
        return head, pieces, "waits", 0
    finally:
        if head is not None:
            await head.body.aclose()
    return head, pieces, "", 0


def recorded(folder: Path, request: bytes = b'{"n":1}', response: bytes = b"", **changes: object) -> RecordedCall:
    blobs = FolderBlobs(folder / BLOBS)
    blobs.root.mkdir(parents=True, exist_ok=True)
    volatile = changes.pop("volatile", ())
    fields = {
        "task": "t", "repeat": 1, "attempt": 1, "call": 1, "method": "POST", "path": "/v1/chat/completions",
        "request": blobs.put(request_form(request, volatile)), "status": 200, "headers": PLAIN,
        "response": blobs.put(response) if response else "", **changes,
    }  # fmt: skip
    return RecordedCall(**fields)  # type: ignore[arg-type]


def tape(folder: Path, *calls: RecordedCall, volatile: tuple[str, ...] = ()) -> str:
    """Write a cassette; its digest."""
    head = Cassette(run_id="r", seal="s", calls=0, attempts=0, calls_sha256="", volatile=volatile)
    write_cassette(folder, head, calls)
    return read_cassette(folder).sha256
