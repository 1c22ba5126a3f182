"""How long the provider kept one attempt waiting, as far as the gateway saw it: time that is no working time of the agent.

Three things count: an exchange that the provider failed (429, 5xx, cut, no answer), from its intent to its end; the wait
before a transport retry; and, where a failure said when to come back (Retry-After), the wait until then or until the
agent's next call, whichever is sooner. Times that overlap count once.
"""

from __future__ import annotations

from datetime import datetime

from denominator.adapters.gateway.retry_after import retry_after_s
from denominator.readers.failed import PROVIDERS_OWN
from denominator.readers.provider import cause_of, error_of, was_cut
from denominator.records.rows import CallRow

NS, MS = 1_000_000_000, 1_000_000
WAIT_MAX_S = 10**6

Span = tuple[int, int]


class Pauses:
    """The pauses of one attempt, on the monotonic clock in ns. `now` never goes back."""

    def __init__(self) -> None:
        self._spans: tuple[Span, ...] = ()
        self._begun: dict[int, int] = {}
        self._waits: dict[int, Span] = {}
        self._retried: set[int] = set()
        self._took: dict[int, int] = {}

    def asked(self, row: CallRow, now: int) -> None:
        """A call begins. It ends the waits of earlier ones; the wait before a transport retry is ended by that retry."""
        self._over({seq for seq in self._waits if seq == row.retry_of or seq not in self._retried}, now)
        self._begun[row.seq] = now

    def settled(self, row: CallRow, now: int, wall: str) -> int:
        """A call has ended; returns the ms that the call itself was a pause. `wall` is UTC now, for dates.

        A call that ended as a retry may end again: its wait is over, without a further try.
        """
        if row.seq in self._retried:
            self._over({row.seq}, now)
            return self._took.get(row.seq, 0)
        begun = self._begun.pop(row.seq, now)
        if not is_pause(row):
            return 0
        self._spans = joined((*self._spans, (begun, now)))
        self._retried |= {row.seq} if row.outcome == "retry" else set()
        if wait_s := WAIT_MAX_S if row.outcome == "retry" else wait_of(row, wall):
            self._waits = {**self._waits, row.seq: (now, now + wait_s * NS)}
        self._took[row.seq] = (now - begun) // MS
        return self._took[row.seq]

    def _over(self, seqs: set[int], now: int) -> None:
        """The waits of these calls end now at the latest."""
        ended = (self._waits[seq] for seq in seqs & set(self._waits))
        self._spans = joined((*self._spans, *((begin, min(end, now)) for begin, end in ended)))
        self._waits = {seq: span for seq, span in self._waits.items() if seq not in seqs}

    def total_ms(self, now: int) -> int:
        """All pauses until `now`, which may be past; another thread may ask."""
        spans = tuple((begin, min(end, now)) for begin, end in (*self._spans, *self._waits.values()) if begin < now)
        return sum(end - begin for begin, end in joined(spans)) // MS

    def waiting(self, now: int) -> bool:
        """Is a wait under way? Another thread may ask."""
        return any(end > now for _, end in self._waits.values())


def is_pause(row: CallRow) -> bool:
    """Was it an exchange that the provider failed? What the agent cut or asked wrongly is no pause."""
    if row.outcome in ("ok", "open") or was_cut(row):
        return False
    if row.sent is False and row.error != "connect_failed":
        return False
    return cause_of(error_of(row)) in PROVIDERS_OWN


def wait_of(row: CallRow, wall: str) -> int:
    """Seconds that a failed answer told to wait, whole ones, at most `WAIT_MAX_S`; 0 where it told none."""
    if not isinstance(row.retry_after_s, str):
        return 0
    asked = retry_after_s(row.retry_after_s, int(datetime.fromisoformat(wall).timestamp()))
    return min(asked or 0, WAIT_MAX_S)


def joined(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """The same times in spans that do not overlap, in order."""
    found: list[Span] = []
    for begin, end in sorted(spans):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        elif end > begin:
            found.append((begin, end))
    return tuple(found)
