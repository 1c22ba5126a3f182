"""An answer on its way to the agent: as it arrives, but for a refusal, of which the body is read first."""

from __future__ import annotations

from denominator.adapters.gateway.headers import Headers
from denominator.adapters.gateway.proxy.agent_side import AgentSide
from denominator.adapters.gateway.proxy.answers import Answer

HELD_BYTES = 65_536
"""As much of a refusal is read before any of it is passed on."""


class Outlet:
    """A client may go as soon as it sees a refusing status, and only the body says what the refusal means."""

    def __init__(self, agent: AgentSide, answer: Answer, headers: Headers) -> None:
        self._agent = agent
        self._answer = answer
        self._headers = headers
        self._held: bytearray | None = bytearray()

    async def begin(self) -> None:
        """Passes the head on, unless it refuses."""
        if self._answer.status < 400:
            await self.let_go()

    async def let_go(self) -> None:
        """Passes on what is held, and holds nothing from there on."""
        held, self._held = self._held, None
        if held is not None:
            await self._agent.start(self._answer.status, self._headers, self._answer.length)
            await self._agent.write(bytes(held))

    async def write(self, data: bytes) -> None:
        """Bytes of the body."""
        if self._held is None:
            return await self._agent.write(data)
        self._held += data
        if len(self._held) > HELD_BYTES:
            await self.let_go()
        return None

    async def end(self) -> None:
        """The end of the body."""
        await self.let_go()
        await self._agent.end()
