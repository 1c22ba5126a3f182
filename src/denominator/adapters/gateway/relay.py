"""The model relay: a socket and a token an attempt, one upstream, every exchange recorded (`ports.ModelRelay`)."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from denominator.adapters.gateway.book import Book
from denominator.adapters.gateway.exchange import Desk
from denominator.adapters.gateway.launcher import through_launcher
from denominator.adapters.gateway.limits import RelayLimits
from denominator.adapters.gateway.listener import Listener
from denominator.adapters.gateway.upstream import read_upstream
from denominator.adapters.gateway.wires import Wires
from denominator.ports import AgentPlan, Clock
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow

END_WITHIN_S = 5.0


class Relay:
    """Forwards to `endpoint` with the key that the variable `key_env` of `environ` holds.

    `on_call` gets every row twice, as intent and as result, from threads of the relay but never from two at once. When
    it raises for an intent the call is not made; what it raised comes out of the lease's `close`.
    """

    def __init__(
        self,
        endpoint: str,
        key_env: str,
        *,
        environ: Mapping[str, str],
        clock: Clock,
        on_call: Callable[[CallRow], None],
        limits: RelayLimits | None = None,
    ) -> None:
        self._upstream = read_upstream(endpoint, key_env, environ)
        self._clock = clock
        self._on_call = on_call
        self._limits = limits or RelayLimits()
        self._lock = threading.Lock()
        self._leases: set[Lease] = set()

    def open(self, key: AttemptKey, incarnation: int, folder: Path, *, uid: int | None) -> Lease:
        """A socket in `folder`, readable by `uid` only (None: the caller), and a token that opens nothing else."""
        book = Book(key, incarnation, self._on_call, self._lock, self._limits.calls)
        desk = Desk(book, self._upstream, self._clock, self._limits, Wires())
        lease = Lease(Listener(folder, uid, desk, "dnm-" + secrets.token_urlsafe(24)), self._leases.discard)
        self._leases.add(lease)
        return lease

    def shutdown(self) -> None:
        """Ends every lease that is still open; their calls are in the recorder's hands already."""
        for lease in list(self._leases):
            lease.end()


class Lease:
    """One attempt's access to the model (`ports.RelayLease`). The relay itself never pauses, so `paused_ms` is 0."""

    def __init__(self, listener: Listener, on_end: Callable[[Lease], None]) -> None:
        self._listener = listener
        self._on_end = on_end
        self._ended = False
        self.socket = listener.path
        self.token = listener.token
        self.paused_ms = 0
        self.refused_by, self.refused_ns, self.waiting, self.lost = "", 0, False, False

    def through(self, plan: AgentPlan, python: str) -> AgentPlan:
        """The plan behind the launcher."""
        return through_launcher(plan, python, self.token)

    def end(self) -> None:
        """Cuts the access; a second time it does nothing."""
        if not self._ended:
            self._ended = True
            self._listener.end(END_WITHIN_S)
            self._on_end(self)

    def close(self) -> Sequence[CallRow]:
        """Cuts the access and returns the calls in order; raises what the recorder raised, if it did."""
        self.end()
        book = self._listener.desk.book
        if book.trouble is not None:
            raise book.trouble
        return book.rows()
