"""One attempt's access: its intents and results, and what has to be told before it is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

from denominator.adapters.gateway.messages import Ask, Done, Grant, Open
from denominator.adapters.gateway.proxy.asking import Asking
from denominator.adapters.gateway.proxy.desk import Desk
from denominator.adapters.gateway.proxy.incoming import Held
from denominator.adapters.gateway.proxy.progress import Progress
from denominator.adapters.gateway.proxy.result import LEFT, settled
from denominator.records.rows import CallRow
from denominator.wire.providers import Earlier, earlier_of

ENDED = "attempt_ended"
OUR_FAULT = "gateway_failed"
EARLIER_MAX = 256
SETTLE_WITHIN_S = 30.0
"""How long the end waits for the runner's answers and for the disk."""


class Lease:
    """Numbers intents, and settles each call exactly once (a wait that was cut short is told again)."""

    def __init__(self, told: Open, desk: Desk) -> None:
        self.told = told
        self.desk = desk
        self.held = Held(desk.settings.limits.held_bytes)
        self.ended = False
        self.earlier: dict[str, Earlier] = {}
        self._asks: dict[int, asyncio.Future[Grant]] = {}
        self._settling: set[asyncio.Task[Any]] = set()
        self._ending: set[asyncio.Future[None]] = set()
        self._rows = 0

    @property
    def cut_word(self) -> str:
        """Why a transfer was cut from the agent's side."""
        return ENDED if self.ended else LEFT

    def full(self) -> bool:
        """Counts a row in; true when the attempt has made more than are recorded."""
        self._rows += 1
        return self._rows > self.desk.settings.limits.calls

    def ending(self) -> asyncio.Future[None]:
        """The agent is about to have a whole answer. To be set once the call is being settled."""
        end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ending.add(end)
        end.add_done_callback(self._ending.discard)
        return end

    async def behind(self) -> None:
        """Waits until the runner has been told of every call that is over: what comes next is asked knowing their tokens."""
        for over in (self._ending, self._settling):
            if over:
                await asyncio.wait(tuple(over))

    async def ask(self, row: CallRow) -> Grant:
        """The runner's answer to an intent. Cut while it waits, the call is settled as never sent when the answer comes."""
        number = self._rows
        answer = self._asks[number] = asyncio.get_running_loop().create_future()
        self.desk.say(Ask(lease=self.told.lease, ask=number, row=row))
        try:
            return await asyncio.shield(answer)
        except asyncio.CancelledError:
            self._later(self._never_sent(answer, row, self.cut_word))
            raise

    async def _never_sent(self, answer: asyncio.Future[Grant], row: CallRow, word: str) -> None:
        grant = await answer
        if not grant.word:
            cut = replace(row, seq=grant.seq, outcome="gave_up", sent=False, error=word, client_left=word == LEFT)
            self.done(cut)

    def granted(self, grant: Grant) -> None:
        """The runner has answered."""
        answer = self._asks.pop(grant.ask, None)
        if answer is not None and not answer.done():
            answer.set_result(grant)

    def done(self, row: CallRow) -> None:
        """Tells the runner how a call ended."""
        self.desk.say(Done(lease=self.told.lease, row=row))

    def settle(
        self, row: CallRow, progress: Progress, asked: Asking, paused_s: int | None = None
    ) -> asyncio.Task[CallRow]:
        """Tells how a try ended, once its bodies are kept; it is the lease's own work, so that nothing can cut it."""
        return self._later(self._settle(row, progress, asked, paused_s))

    async def _settle(self, row: CallRow, progress: Progress, asked: Asking, paused_s: int | None) -> CallRow:
        try:
            result = settled(row, progress, asked.asked, self.desk.upstream)
        except Exception:
            # What we cannot read is spend unknown, and on the record.
            result = replace(row, outcome="gave_up", error=OUR_FAULT, sent=progress.marks.sent)
        if paused_s is not None:
            result = replace(result, outcome="retry", paused_ms=paused_s * 1000)
        if self.desk.bodies.kept:
            result = replace(result, bodies_kept=await self._keep(progress, asked.body))
        self._learn(asked, result)
        self.done(result)
        return result

    def _learn(self, asked: Asking, result: CallRow) -> None:
        """What this call has shown about the size of the next one of its thread."""
        one = earlier_of(asked.asked, result.usage.prompt)
        if one is not None:
            self.earlier[one.end.sha256] = one
            if len(self.earlier) > EARLIER_MAX:
                del self.earlier[next(iter(self.earlier))]

    async def _keep(self, progress: Progress, sent: bytes) -> bool:
        passing = progress.passing
        if passing is None:
            return await self.desk.bodies.keep(sent)
        return not passing.key_echoed and await self.desk.bodies.keep(sent, b"".join(progress.body))

    def cut_short(self, settling: asyncio.Task[CallRow], paused_ms: int) -> None:
        """No other try follows after all, and the wait was this long only: the call is told a second time."""

        async def again() -> None:
            self.done(replace(await settling, outcome="gave_up", paused_ms=paused_ms))

        self._later(again())

    def _later(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)
        return task

    async def quiet(self) -> None:
        """Returns when every call is settled."""
        deadline = asyncio.get_running_loop().time() + SETTLE_WITHIN_S
        while self._settling and asyncio.get_running_loop().time() < deadline:
            await asyncio.wait(self._settling, timeout=SETTLE_WITHIN_S)
