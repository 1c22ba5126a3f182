"""The runner's side of the gateway (`ports.ModelRelay`): starts the process, journals its calls, grants or refuses them.

One thread hears the process. What has come by then is one group: its intents and results go into the journal in one
transaction, and only then are the grants sent. So no byte goes to a provider before its intent is durable and its worst
case is reserved, and a hundred calls that come at once cost one commit.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.gateway.lease import Lease
from denominator.adapters.gateway.messages import Ask, Close, Closed, Done, Grant, Message, Open, Opened
from denominator.adapters.gateway.process import COMMAND, GatewayProcess, GoneError
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.upstream import read_upstream
from denominator.errors import FencedError, OpenPromisesError
from denominator.ports import Clock, Failpoints, SpendGuard
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow

RESTARTS = 5
START_WITHIN_S = 60.0
CLOSE_WITHIN_S = 30.0
BUDGET_WORD = "budget_exhausted"
SAID = {
    "tokens": "the token budget of this attempt has no room for another call: finish now",
    "calls": "this attempt has made all the calls of its budget: finish now",
    "tool_calls": "this attempt has made all the tool calls of its budget: finish now",
    "failed_calls": "calls that the model's provider failed hold the rest of this attempt's budget: finish now",
    "run_cap": "the token cap of the whole run has no room for another call: finish now",
}
NOT_RECORDED = "calls cannot be recorded, so none is made"
TOO_MANY = "this attempt made more calls than are recorded"


class Relay:
    """`record` gets rows in groups, as intents and as results, and raises when they are not durable.

    A process that dies takes its leases with it; the next attempt gets a new one, `restarts` times at most.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        environ: Mapping[str, str],
        clock: Clock,
        record: Callable[..., None],
        guard: SpendGuard,
        restarts: int = RESTARTS,
        command: Sequence[str] = COMMAND,
        failpoints: Failpoints | None = None,
    ) -> None:
        read_upstream(settings.endpoint, settings.key_env, environ)
        self._settings, self._environ, self._command = settings, environ, command
        self._clock, self._record, self._guard = clock, record, guard
        self._failpoints = failpoints or NoFailpoints()
        self._starts_left = 1 + restarts
        self._lock = threading.Lock()
        self._process: GatewayProcess | None = None
        self._leases: dict[int, Lease] = {}
        self._made = 0
        self._trouble: Exception | None = None

    def open(self, key: AttemptKey, incarnation: int, folder: Path, *, uid: int | None) -> Lease:
        """A socket in `folder` for `uid` only (None: the process's own) and a token that opens nothing else."""
        while True:
            process = self._living()
            lease = self._lease(key, incarnation)
            if self._opened(process, lease, _open(lease, folder, uid)):
                return lease
            self._leases.pop(lease.number, None)

    def _opened(self, process: GatewayProcess, lease: Lease, order: Open) -> bool:
        """Does the process listen? Not when it died instead; an OSError when it says that it cannot."""
        try:
            process.send(order)
        except GoneError:
            return False
        if not lease.opened.wait(START_WITHIN_S):
            process.kill()
            lease.opened.wait()
        if lease.cannot:
            raise OSError(f"the gateway cannot listen: {lease.cannot}")
        return not lease.lost

    def shutdown(self) -> None:
        """Ends every lease that is still open, and the process."""
        for lease in list(self._leases.values()):
            self._end(lease)
        with self._lock:
            process = self._process
        if process is not None:
            process.close()

    @property
    def pid(self) -> int:
        """The process's number, 0 when there is none now."""
        with self._lock:
            return self._process.pid if self._process else 0

    def _living(self) -> GatewayProcess:
        with self._lock:
            if self._process is None:
                if not self._starts_left:
                    raise OpenPromisesError(
                        "the gateway process died again and again; no further one is started",
                        where="gateway",
                        fix="denominator resume",
                    )
                self._starts_left -= 1
                self._process = GatewayProcess(
                    self._settings, self._environ, self._heard, self._gone, command=self._command
                )
            return self._process

    def _lease(self, key: AttemptKey, incarnation: int) -> Lease:
        with self._lock:
            self._made += 1
            token = "dnm-" + secrets.token_urlsafe(24)
            lease = Lease(self._made, key, incarnation, token, self._clock, self._end)
            self._leases[lease.number] = lease
            if self._process is None:
                lease.over(lost=True)
            return lease

    def _end(self, lease: Lease) -> None:
        with self._lock:
            process = self._process
        if process is not None and not lease.closed.is_set():
            try:
                process.send(Close(lease=lease.number))
            except GoneError:
                process.kill()
            if not lease.closed.wait(CLOSE_WITHIN_S):
                process.kill()
                lease.closed.wait()
        self._leases.pop(lease.number, None)

    def _gone(self, trouble: Exception | None) -> None:
        """The process is dead: its open intents stay open, whoever waits for it waits no longer."""
        with self._lock:
            self._process = None
            leases = list(self._leases.values())
        for lease in leases:
            if not lease.closed.is_set():
                lease.trouble = lease.trouble or trouble
                lease.over(lost=True)

    def _heard(self, messages: Sequence[Message]) -> None:
        """One group: decide, make it durable, then let it happen."""
        rows: list[tuple[Lease, CallRow]] = []
        grants: list[Grant] = []
        for message in messages:
            lease = self._leases.get(message.lease)
            if isinstance(message, Ask):
                grant, row = self._answer(lease, message)
                grants.append(grant)
            else:
                row = self._ended(lease, message) if isinstance(message, Done) else None
            if lease is not None and row is not None:
                lease.rows[row.seq] = row
                rows.append((lease, row))
        kept = self._durable(rows)
        grants = [grant if grant.word or grant.lease in kept else _unrecorded(grant) for grant in grants]
        self._tell(grants)
        if any(not grant.word for grant in grants):
            self._failpoints.hit("call.sent")
        for message in messages:
            self._told(message)

    def _answer(self, lease: Lease | None, ask: Ask) -> tuple[Grant, CallRow | None]:
        """The grant of one call and the row to write for it."""
        grant = Grant(lease=ask.lease, ask=ask.ask)
        if lease is not None:
            lease.trouble = lease.trouble or self._trouble
        if lease is None or lease.trouble is not None:
            return _unrecorded(grant), None
        if lease.calls >= self._settings.limits.calls:
            return _refusal(grant, 429, "too_many_calls", TOO_MANY), None
        row = self._guard.ask(lease.numbered(ask.row))
        if not row.cap_state:
            lease.granted(row)
            return replace(grant, seq=row.seq), row
        lease.refused(row.cap_state)
        refused = _refusal(replace(grant, seq=row.seq), 400, BUDGET_WORD, SAID[row.cap_state])
        return refused, replace(row, status=400, error=BUDGET_WORD)

    def _ended(self, lease: Lease | None, done: Done) -> CallRow | None:
        if lease is None or (not done.row.seq and lease.calls >= self._settings.limits.calls):
            return None
        row = lease.ended(done.row)
        if row is not None:
            self._guard.settle(row)
        return row

    def _durable(self, rows: Sequence[tuple[Lease, CallRow]]) -> frozenset[int]:
        """Write the rows; the numbers of the leases whose rows are written.

        What cannot be written is nobody's call any more, and no further one is granted: to nobody, but for an attempt that
        has been taken over (FencedError), which says nothing about the others.
        """
        numbers = frozenset(lease.number for lease, _ in rows)
        trouble = self._trouble
        if rows and trouble is None:
            try:
                if any(row.outcome != "open" for _, row in rows):
                    self._failpoints.hit("call.received")
                if any(row.outcome == "open" for _, row in rows):
                    self._failpoints.hit("call.intent.before")
                self._record(*(row for _, row in rows))
                return numbers
            except FencedError as error:
                trouble = error
            except Exception as error:
                trouble = self._trouble = error
        if isinstance(trouble, FencedError) and len(numbers) > 1:
            each = [[pair for pair in rows if pair[0].number == number] for number in sorted(numbers)]
            return frozenset().union(*map(self._durable, each))
        for lease, row in rows:
            lease.trouble = lease.trouble or trouble
            if row.outcome == "open":
                del lease.rows[row.seq]
                self._guard.settle(replace(row, outcome="gave_up", sent=False))
        if isinstance(trouble, FencedError):
            self._spent(rows)
        return frozenset()

    def _spent(self, rows: Sequence[tuple[Lease, CallRow]]) -> None:
        """What a fenced attempt's calls cost is written down all the same: spend is spend."""
        ended = [row for _, row in rows if row.outcome != "open"]
        if ended and len(ended) < len(rows):
            try:
                self._record(*ended)
            except Exception as error:
                self._trouble = error

    def _tell(self, grants: Sequence[Grant]) -> None:
        process = self._process
        if process is not None and grants:
            try:
                process.send(*grants)
            except GoneError:
                process.kill()

    def _told(self, message: Message) -> None:
        """Somebody may be waiting for this; only now is all durable that came before it."""
        lease = self._leases.get(message.lease)
        if lease is None:
            return
        if isinstance(message, Opened):
            lease.socket, lease.cannot = Path(message.path), message.trouble
            lease.opened.set()
        elif isinstance(message, Closed):
            lease.over(lost=False)


def _open(lease: Lease, folder: Path, uid: int | None) -> Open:
    return Open(
        lease=lease.number,
        folder=str(folder.absolute()),
        uid=-1 if uid is None else uid,
        token=lease.token,
        key=lease.key,
        incarnation=lease.incarnation,
    )


def _unrecorded(grant: Grant) -> Grant:
    return _refusal(grant, 503, "not_recorded", NOT_RECORDED)


def _refusal(grant: Grant, status: int, word: str, said: str) -> Grant:
    return replace(grant, status=status, word=word, said=said)
