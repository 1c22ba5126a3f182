"""A recording answers in the provider's place: nothing is connected to, and a request that was not recorded is refused.

What is refused is answered with 400, which clients do not try again. Times are those of the playing; everything else of
an exchange is as it was recorded, how it broke included.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Iterable
from pathlib import Path

from denominator.adapters.gateway.proxy.answers import Answer, BrokenError, Outgoing
from denominator.adapters.gateway.proxy.flow import Flow
from denominator.adapters.store.blobs import FolderBlobs
from denominator.errors import InputError
from denominator.records.cassettes import NOT_PLAYED, RecordedCall
from denominator.records.rows import LEFT_WORDS
from denominator.wire.cassettes import BLOBS, Tape, read_cassette
from denominator.wire.requests import RAW, differences, request_form

MISMATCH, SPENT, DAMAGED = NOT_PLAYED
REFUSED = 400
STATUS = {"timeout": 504, "bad_framing": 400}
CHUNK = 65_536
EVENT_END = re.compile(rb"\r?\n\r?\n")


class CassetteOrigin:
    """Plays one cassette (`answers.Origin`). `expected` is the sealed digest; another one is refused at once."""

    def __init__(self, folder: Path, expected: str, volatile: Iterable[str] = ()) -> None:
        self._tape: Tape = read_cassette(folder)
        if expected and self._tape.sha256 != expected:
            what = f"the cassette is {self._tape.sha256[:12]}, sealed was {expected[:12]}"
            raise InputError(what, where=str(folder), fix="put the sealed one back, or seal again")
        self._blobs = FolderBlobs(folder / BLOBS)
        self._volatile = tuple(sorted({*volatile, *self._tape.head.volatile}))

    async def answer(self, call: Outgoing) -> Answer:
        """The recorded answer to this call of this attempt."""
        call.marks.cassette = self._tape.sha256
        recorded = self._recorded(call)
        await self._compare(call, recorded)
        call.marks.sent = recorded.sent
        if not recorded.status:
            if recorded.broke in LEFT_WORDS:
                await asyncio.Event().wait()
            raise BrokenError(recorded.broke or "no_answer", STATUS.get(recorded.broke, 502))
        body = await self._blob(recorded.response) if recorded.response else b""
        headers = sorted(recorded.headers.items())
        streamed = recorded.headers.get("content-type", "").startswith("text/event-stream")
        whole = not streamed and not recorded.broke
        return Answer(
            status=recorded.status,
            headers=headers,
            body=Flow(_played(body, recorded.broke, streamed=streamed)),
            length=len(body) if whole else None,
        )

    async def close(self) -> None:
        """Nothing is kept open."""

    def _recorded(self, call: Outgoing) -> RecordedCall:
        key = call.key
        found = self._tape.calls.get((key.task_id, key.repeat, key.attempt, call.seq))
        if found is None:
            call.marks.differs = (f"call {call.seq}: not in the recording",)
            raise BrokenError(SPENT, REFUSED)
        return found

    async def _compare(self, call: Outgoing, recorded: RecordedCall) -> None:
        """Refuses a request that is not the recorded one, and says where they part."""
        asked = (call.method, f"/v1{call.below}")
        if asked != (recorded.method, recorded.path):
            call.marks.differs = (f"the path: {recorded.method} {recorded.path} in the recording",)
            raise BrokenError(MISMATCH, REFUSED)
        # A large request takes a while to read; other calls go on meanwhile.
        here = await asyncio.to_thread(request_form, call.body, self._volatile)
        # The places of the recording are out already; this envelope may name more of them.
        there = await asyncio.to_thread(_again, await self._blob(recorded.request), self._volatile)
        if here != there:
            call.marks.differs = differences(here, there)
            raise BrokenError(MISMATCH, REFUSED)

    async def _blob(self, sha256: str) -> bytes:
        try:
            return await asyncio.to_thread(self._blobs.get, sha256)
        except (InputError, OSError):
            raise BrokenError(DAMAGED, REFUSED) from None


def _again(form: bytes, volatile: Iterable[str]) -> bytes:
    """A recorded form with further places out; one that is no JSON is as it was."""
    return form if form.startswith(RAW) else request_form(form, volatile)


async def _played(body: bytes, broke: str, *, streamed: bool) -> AsyncGenerator[bytes, None]:
    """The body, a stream event by event; then the end that was recorded."""
    for piece in events_of(body) if streamed else _pieces(body):
        yield piece
    if broke in LEFT_WORDS:
        await asyncio.Event().wait()
    if broke:
        raise BrokenError(broke, STATUS.get(broke, 502))


def events_of(body: bytes) -> Iterable[bytes]:
    """A stream cut behind each of its events; together they are the whole body."""
    begin = 0
    for end in EVENT_END.finditer(body):
        yield body[begin : end.end()]
        begin = end.end()
    if begin < len(body):
        yield body[begin:]


def _pieces(body: bytes) -> Iterable[bytes]:
    return (body[at : at + CHUNK] for at in range(0, len(body), CHUNK))
