"""HTTP/1.1 on the attempt's unix socket: who may come in, and by which door."""

from __future__ import annotations

import contextlib
import hashlib
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING

from denominator.adapters.gateway.agent_side import AgentSide
from denominator.adapters.gateway.book import FullError
from denominator.adapters.gateway.exchange import ClientLeftError, Incoming
from denominator.adapters.gateway.framing import FramingError, read_body
from denominator.adapters.gateway.headers import Headers, is_token, token_of
from denominator.records.values import NotMeasured
from denominator.wire.providers import api_of

if TYPE_CHECKING:
    from denominator.adapters.gateway.listener import Listener

_UNREAD_BODY = NotMeasured("the body was not read")


class Handler(BaseHTTPRequestHandler):
    """One connection of the agent, kept alive over many requests."""

    protocol_version = "HTTP/1.1"
    server: Listener

    def setup(self) -> None:
        """An agent that stays silent is let go."""
        super().setup()
        self.connection.settimeout(self.server.desk.limits.idle_s)

    def handle(self) -> None:
        """Requests, until one side closes."""
        with contextlib.suppress(OSError):
            super().handle()

    def finish(self) -> None:
        """The connection's end; what could not be sent is lost with it."""
        with contextlib.suppress(OSError):
            super().finish()

    def do_POST(self) -> None:
        """One request. An answer that breaks off ends the connection, which is how the agent learns of it."""
        try:
            self._answer(AgentSide(self))
        except ClientLeftError:
            self.close_connection = True

    do_GET = do_POST  # noqa: N815

    def _answer(self, agent: AgentSide) -> None:
        desk = self.server.desk
        headers: Headers = list(self.headers.items())
        path, sign, query = self.path.partition("?")
        try:
            body = read_body(headers, self.rfile, desk.limits.request_bytes)
        except FramingError as error:
            self.close_connection = True
            return self._refuse(agent, path, error.status, error.word, None)
        except OSError:
            raise ClientLeftError from None
        if not is_token(token_of(headers)[1], self.server.token):
            return self._refuse(agent, path, 401, "bad_token", body)
        below = path.removeprefix("/v1")
        api = api_of(self.command, below) if below != path else None
        if api is None:
            return self._refuse(agent, path, 404, "not_relayed", body)
        incoming = Incoming(
            method=self.command, path=path, below=below, query=sign + query, headers=headers, body=body, api=api
        )
        return self._exchange(agent, incoming)

    def _exchange(self, agent: AgentSide, incoming: Incoming) -> None:
        try:
            self.server.desk.exchange(incoming, agent)
        except ClientLeftError:
            raise
        except FullError:
            agent.refuse(429, "too_many_calls", "this attempt made more calls than are recorded")
        # The recorder's own words may name places of the harness; the lease's `close` raises them where they belong.
        except Exception:
            if agent.started:
                raise ClientLeftError from None
            agent.refuse(503, "not_recorded", "calls cannot be recorded, so none is made")

    def _refuse(self, agent: AgentSide, path: str, status: int, word: str, body: bytes | None) -> None:
        """Answers without the provider; that it happened is recorded as long as calls are."""
        with contextlib.suppress(Exception):
            self.server.desk.book.open(
                method=self.command,
                path=path[:200],
                purpose="refused",
                sent=False,
                outcome="gave_up",
                status=status,
                error=word,
                request_bytes=_UNREAD_BODY if body is None else len(body),
                request_sha256=_UNREAD_BODY if body is None else hashlib.sha256(body).hexdigest(),
                started_at=self.server.desk.clock.wall(),
            )
        agent.refuse(status, word, "refused by the model relay")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """What is not HTTP, or no method that is relayed: refused in the providers' shape, not recorded."""
        self.close_connection = True
        with contextlib.suppress(ClientLeftError):
            AgentSide(self).refuse(int(code), "bad_request", "not a request that the relay understands")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing is logged: rows are the record."""
