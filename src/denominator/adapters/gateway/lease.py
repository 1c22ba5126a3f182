"""One attempt's access to the model, as the runner sees it (`ports.RelayLease`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from denominator.adapters.gateway.launcher import through_launcher
from denominator.adapters.gateway.pauses import Pauses
from denominator.ports import AgentPlan, Clock
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow


class Lease:
    """Its calls numbered from 1, its pauses, the budget that refused it first; all but `close` is done by one thread."""

    def __init__(
        self,
        number: int,
        key: AttemptKey,
        incarnation: int,
        token: str,
        clock: Clock,
        end: Callable[[Lease], None],
    ) -> None:
        self.number, self.key, self.incarnation, self.token = number, key, incarnation, token
        self.socket = Path()
        self.rows: dict[int, CallRow] = {}
        self.opened, self.closed = threading.Event(), threading.Event()
        self.refused_by, self.refused_ns = "", 0
        self.lost = False
        self.cannot = ""
        self.trouble: Exception | None = None
        self._numbered = 0
        self._pauses = Pauses()
        self._clock = clock
        self._end = end

    @property
    def paused_ms(self) -> int:
        """How long the provider has kept the attempt waiting until now."""
        return self.paused_until(self._clock.mono_ns())

    def paused_until(self, now_ns: int) -> int:
        """The same until a monotonic time that may be past."""
        return self._pauses.total_ms(now_ns)

    @property
    def waiting(self) -> bool:
        """Is the time to come back, which the provider or a transport retry set, still to come?"""
        return self._pauses.waiting(self._clock.mono_ns())

    @property
    def calls(self) -> int:
        """How many calls have a number."""
        return self._numbered

    def through(self, plan: AgentPlan, python: str) -> AgentPlan:
        """The plan behind the launcher."""
        return through_launcher(plan, python, self.token)

    def close(self) -> Sequence[CallRow]:
        """Cuts the access and returns the calls in order; raises what the recorder raised, if it did."""
        self._end(self)
        if self.trouble is not None:
            raise self.trouble
        return [self.rows[seq] for seq in sorted(self.rows)]

    def numbered(self, row: CallRow) -> CallRow:
        """The row as a call of this attempt, with the next number."""
        self._numbered += 1
        return replace(row, key=self.key, incarnation=self.incarnation, seq=self._numbered)

    def granted(self, row: CallRow) -> None:
        """A call begins."""
        self._pauses.asked(row, self._clock.mono_ns())

    def refused(self, budget: str) -> None:
        """A budget has no room for a call; the first one is kept."""
        if not self.refused_by:
            self.refused_ns, self.refused_by = self._clock.mono_ns(), budget

    def ended(self, row: CallRow) -> CallRow | None:
        """The row of a call that ended, with what it took of the clock; None for a call that has ended already.

        A try that was to be made again may end a second time: no other one comes after all, its wait is over.
        """
        if not row.seq:
            return self.numbered(row)
        asked = self.rows.get(row.seq)
        if asked is None or asked.outcome not in ("open", "retry"):
            return None
        row = replace(row, key=self.key, incarnation=self.incarnation, reserved_tokens=asked.reserved_tokens)
        paused = self._pauses.settled(row, self._clock.mono_ns(), self._clock.wall())
        return replace(row, paused_ms=row.paused_ms + paused)

    def over(self, *, lost: bool) -> None:
        """Nothing more will come."""
        self.lost = self.lost or lost
        self.opened.set()
        self.closed.set()
