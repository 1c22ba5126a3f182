"""One request of the agent: asked, granted, sent, passed on as it arrives, settled; again where the terms say so."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from denominator.adapters.gateway.proxy.agent_side import AgentSide
from denominator.adapters.gateway.proxy.asking import Asking, asking
from denominator.adapters.gateway.proxy.incoming import Incoming
from denominator.adapters.gateway.proxy.lease import Lease
from denominator.adapters.gateway.proxy.once import Retry, Try
from denominator.records.rows import CallRow
from denominator.wire.providers import Api

TOO_MANY = (429, "too_many_calls", "this attempt made more calls than are recorded")
PATH_CHARS_MAX = 200


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request that may be relayed. `below` is its path below /v1."""

    lease: Lease
    incoming: Incoming
    below: str
    api: Api
    agent: AgentSide

    async def run(self) -> None:
        """Tries until the agent has an answer. Raises `ClientLeftError` when its connection has to end."""
        await self.lease.behind()
        asked, retry_of, tried = self._asking(), 0, 1
        while True:
            if self.lease.full():
                return await self.agent.refuse(*TOO_MANY)
            row = self._intent(asked, retry_of)
            grant = await self.lease.ask(row)
            if grant.word:
                return await self.agent.refuse(grant.status or 503, grant.word, grant.said)
            one = Try(self.lease, self.incoming, self.below, self.api, self.agent, asked, tried)
            again = await one.run(replace(row, seq=grant.seq))
            if again is None:
                return None
            await self._wait(again)
            retry_of, tried = grant.seq, tried + 1

    def _asking(self) -> Asking:
        return asking(self.incoming.body, self.api, self.lease.desk.settings.output_cap, self.lease.earlier.values())

    def _intent(self, asked: Asking, retry_of: int) -> CallRow:
        told = self.lease.told
        return CallRow(
            key=told.key,
            incarnation=told.incarnation,
            seq=0,
            method=self.incoming.method,
            path=self.incoming.path[:PATH_CHARS_MAX],
            started_at=self.lease.desk.clock.wall(),
            retry_of=retry_of,
            **asked.fields,
        )

    async def _wait(self, again: Retry) -> None:
        begun = self.lease.desk.clock.mono_ns()
        try:
            await asyncio.sleep(again.wait_s)
        except asyncio.CancelledError:
            self.lease.cut_short(again.settling, (self.lease.desk.clock.mono_ns() - begun) // 1_000_000)
            raise
