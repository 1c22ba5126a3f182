"""One connection of the agent, kept alive over many requests: who may come in, and by which door."""

from __future__ import annotations

import hashlib

import h11

from denominator.adapters.gateway.headers import is_token, token_of
from denominator.adapters.gateway.proxy.agent_side import AgentSide, ClientLeftError
from denominator.adapters.gateway.proxy.exchange import PATH_CHARS_MAX, TOO_MANY, Exchange
from denominator.adapters.gateway.proxy.incoming import HEAD_MAX, Incoming, RefusedError, Requests
from denominator.adapters.gateway.proxy.lease import Lease
from denominator.adapters.gateway.proxy.wire import Wire
from denominator.records.rows import CallRow
from denominator.records.values import NotMeasured
from denominator.wire.providers import api_of

PART_WITHIN_S = 2.0
REFUSED = "refused by the model relay"
_UNREAD_BODY = NotMeasured("the body was not read")


class Connection:
    """Requests, until one side closes."""

    def __init__(self, wire: Wire, lease: Lease) -> None:
        self._wire = wire
        self._lease = lease
        self._limits = lease.desk.settings.limits
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_MAX)
        self._requests = Requests(self._http, wire, self._limits, lease.held)

    async def serve(self) -> None:
        """An answer that breaks off ends the connection, which is how the agent learns of it."""
        try:
            while await self._one():
                self._http.start_next_cycle()
            await self._wire.part(PART_WITHIN_S, 2 * self._limits.request_bytes)
        except (ClientLeftError, OSError, h11.ProtocolError):
            self._wire.close()
        finally:
            self._requests.let_go()

    async def _one(self) -> bool:
        """Answers one request; false when no other can follow."""
        agent = AgentSide(self._http, self._wire, self._limits.idle_s)
        try:
            incoming = await self._requests.next()
        except RefusedError as error:
            await self._refuse(agent, error.status, error.word, error.method, error.path)
            return False
        if incoming is None:
            return False
        await self._answer(incoming, agent)
        self._requests.let_go()
        return self._http.our_state is h11.DONE and self._http.their_state is h11.DONE

    async def _answer(self, incoming: Incoming, agent: AgentSide) -> None:
        if not is_token(token_of(incoming.headers)[1], self._lease.told.token):
            return await self._refuse(agent, 401, "bad_token", incoming.method, incoming.path, incoming.body)
        below = incoming.path.removeprefix("/v1")
        api = api_of(incoming.method, below) if below != incoming.path else None
        if api is None:
            return await self._refuse(agent, 404, "not_relayed", incoming.method, incoming.path, incoming.body)
        return await Exchange(self._lease, incoming, below, api, agent).run()

    async def _refuse(
        self, agent: AgentSide, status: int, word: str, method: str, path: str, body: bytes | None = None
    ) -> None:
        """Answers without the provider; that it happened is recorded as long as calls are."""
        if self._lease.full():
            return await agent.refuse(*TOO_MANY)
        told = self._lease.told
        self._lease.done(
            CallRow(
                key=told.key,
                incarnation=told.incarnation,
                seq=0,
                method=method,
                path=path[:PATH_CHARS_MAX],
                purpose="refused",
                sent=False,
                outcome="gave_up",
                status=status,
                error=word,
                request_bytes=_UNREAD_BODY if body is None else len(body),
                request_sha256=_UNREAD_BODY if body is None else hashlib.sha256(body).hexdigest(),
                started_at=self._lease.desk.clock.wall(),
            )
        )
        return await agent.refuse(status, word, REFUSED)
