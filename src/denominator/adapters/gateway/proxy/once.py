"""One try of a call: sent, passed on as it arrives, settled whatever happens."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime

from denominator.adapters.gateway.headers import passed_on, to_agent, token_of
from denominator.adapters.gateway.proxy.agent_side import AgentSide, ClientLeftError
from denominator.adapters.gateway.proxy.answers import Answer, Body, BrokenError, Marks, Outgoing
from denominator.adapters.gateway.proxy.asking import Asking
from denominator.adapters.gateway.proxy.incoming import Incoming
from denominator.adapters.gateway.proxy.lease import OUR_FAULT, Lease
from denominator.adapters.gateway.proxy.outlet import Outlet
from denominator.adapters.gateway.proxy.progress import Progress
from denominator.adapters.gateway.reading import CannotReadError, Passing
from denominator.adapters.gateway.scrub import KeyEchoedError
from denominator.records.rows import CallRow
from denominator.wire.providers import Api

NO_MODEL = "the model could not be reached"


@dataclass(frozen=True, slots=True)
class Retry:
    """This try is followed by another one, `wait_s` seconds later."""

    wait_s: int
    settling: asyncio.Task[CallRow]


@dataclass(slots=True)
class Try:
    """`tried` counts the tries of the call from 1."""

    lease: Lease
    incoming: Incoming
    below: str
    api: Api
    agent: AgentSide
    asked: Asking
    tried: int
    _progress: Progress = field(init=False)
    _ending: asyncio.Future[None] | None = field(init=False, default=None)

    async def run(self, row: CallRow) -> Retry | None:
        """Carries the try out and says whether another follows. Raises `ClientLeftError` when the connection has to end."""
        now = self._progress = Progress(Marks(), self.lease.desk.clock.mono_ns())
        wait_s: int | None = None
        try:
            wait_s = await self._carried(self._outgoing(row))
        except (asyncio.CancelledError, ClientLeftError):
            # An agent that goes when it has what the provider said to the end has left nothing.
            now.word = now.word or ("" if now.whole else self.lease.cut_word)
            wait_s = None
            raise
        except Exception:
            # A fault of ours ends this call only, and it is on the record.
            now.word = OUR_FAULT
            await self._broken(502)
        finally:
            now.ended_ns = self.lease.desk.clock.mono_ns()
            settling = self.lease.settle(row, now, self.asked, wait_s)
            if self._ending is not None and not self._ending.done():
                self._ending.set_result(None)
        return None if wait_s is None else Retry(wait_s, settling)

    def _outgoing(self, row: CallRow) -> Outgoing:
        return Outgoing(
            method=self.incoming.method,
            below=self.below,
            query=self.incoming.query,
            headers=passed_on(self.incoming.headers),
            credential=token_of(self.incoming.headers)[0],
            body=self.asked.body,
            api=self.api,
            key=row.key,
            incarnation=row.incarnation,
            seq=row.seq,
            retry_of=row.retry_of,
            marks=self._progress.marks,
        )

    async def _carried(self, call: Outgoing) -> int | None:
        """Seconds until the next try, None when the agent has what it gets."""
        try:
            async with self._silence():
                answer = await self.lease.desk.origin.answer(call)
            async with aclosing(answer.body):
                return await self._answered(answer)
        except BrokenError as error:
            self._progress.word, status = error.word, error.status
        except TimeoutError:
            self._progress.word, status = "timeout", 504
        wait_s = self._after_break()
        if wait_s is None:
            await self._broken(status)
        return wait_s

    def _after_break(self) -> int | None:
        now, waiting = self._progress, self.lease.desk.waiting
        if now.word == "connect_failed":
            return waiting.after_connect(self.tried)
        return None if self.agent.started or not now.status else self._after_status()

    def _after_status(self) -> int | None:
        wall_s = int(datetime.fromisoformat(self.lease.desk.clock.wall()).timestamp())
        return self.lease.desk.waiting.after_status(
            self._progress.status, self._progress.header("retry-after"), self.tried, wall_s
        )

    async def _broken(self, status: int) -> None:
        if self.agent.started:
            # The answer has begun: only a connection that closes early says that it is not whole.
            raise ClientLeftError
        await self.agent.refuse(status, self._progress.word, NO_MODEL)

    def _silence(self) -> asyncio.Timeout:
        return asyncio.timeout(self.lease.desk.settings.limits.read_s)

    async def _answered(self, answer: Answer) -> int | None:
        now = self._progress
        now.status, now.headers = answer.status, answer.headers
        passing = self._passing()
        wait_s = self._after_status()
        outlet = Outlet(self.agent, answer, to_agent(answer.headers, self.lease.desk.upstream.key))
        if wait_s is None:
            await outlet.begin()
        now.passing = passing
        try:
            while (chunk := await self._some(answer.body)) is not None:
                out = passing.feed(chunk)
                if not now.content_ns and passing.content_begun and answer.status < 300:
                    now.content_ns = self.lease.desk.clock.mono_ns()
                if passing.size == answer.length:
                    # The agent has it all with these bytes, and may go before anything says that they were the last.
                    out += passing.flush()
                    self._all_in()
                if wait_s is None:
                    await outlet.write(out)
            out = passing.flush()
            self._all_in()
        except (BrokenError, TimeoutError):
            if wait_s is None:
                await outlet.let_go()
            raise
        except (CannotReadError, KeyEchoedError) as error:
            raise BrokenError(str(error) or "key_echoed") from None
        if wait_s is None:
            await outlet.write(out)
            await outlet.end()
        return wait_s

    def _all_in(self) -> None:
        self._progress.whole = True
        self._ending = self._ending or self.lease.ending()

    async def _some(self, body: Body) -> bytes | None:
        now = self._progress
        try:
            async with self._silence():
                chunk = await body.__anext__()
        except StopAsyncIteration:
            return None
        now.first_ns = now.first_ns or self.lease.desk.clock.mono_ns()
        if self.lease.desk.bodies.kept:
            now.body.append(chunk)
        return chunk

    def _passing(self) -> Passing:
        desk, now = self.lease.desk, self._progress
        kind, encoding = now.header("content-type").lower(), now.header("content-encoding").strip().lower()
        streamed = kind.startswith("text/event-stream")
        try:
            return Passing(
                self.api,
                desk.upstream.key,
                encoding,
                streamed=streamed,
                bytes_max=desk.settings.limits.response_bytes,
            )
        except CannotReadError as error:
            raise BrokenError(str(error)) from None
