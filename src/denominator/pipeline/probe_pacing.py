"""When each request of a window starts: one after the other, or at a fixed rate.

At a fixed rate a request is due at its time whatever the others do. One that cannot start then, because as many are open as
may be, is asked as soon as it can, and its times count from when it was due: a server that stalls once shows in the
answers of all who would have asked meanwhile, and not in one alone (coordinated omission).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from threading import Event, Lock, Thread

from denominator.errors import MachineError
from denominator.ports import Clock, Stop
from denominator.records.probes import Ask, Terms

NAP_S = 0.1
Make = Callable[[Ask, int | None, Stop], bool]
"""Makes one attempt, due at a monotonic time or now; false when it was told to stop."""


@dataclass(slots=True)
class Pace:
    """The times of one window's requests."""

    terms: Terms
    clock: Clock
    stop: Stop

    def run(self, asks: Sequence[Ask], make: Make) -> None:
        """Make the attempts until all are made or somebody says stop. What `make` raises is raised here, once."""
        if self.terms.rate:
            _AtRate(self.clock, self.stop, period_ns(self.terms.rate), list(asks), make).run(self.terms.in_flight)
        else:
            self._one_by_one(asks, make)

    def _one_by_one(self, asks: Sequence[Ask], make: Make) -> None:
        for place, ask in enumerate(asks):
            if place and not wait_until(self.clock, self.clock.mono_ns() + self.terms.pause_ms * 1_000_000, self.stop):
                return
            if self.stop.is_set() or not make(ask, None, self.stop):
                return


@dataclass(slots=True)
class _AtRate:
    """Threads that take the next request, wait until it is due, and make it."""

    clock: Clock
    stop: Stop
    period_ns: int
    asks: list[Ask]
    make: Make
    lock: Lock = field(default_factory=Lock)
    halt: Event = field(default_factory=Event)
    errors: list[BaseException] = field(default_factory=list)
    taken: int = 0
    base_ns: int = 0

    def run(self, in_flight: int) -> None:
        self.base_ns = self.clock.mono_ns()
        threads = [Thread(target=self._work, name=f"probe {n}") for n in range(min(in_flight, len(self.asks)))]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        except RuntimeError:
            self.halt.set()
            raise MachineError("no thread can be started", where="this machine", fix="lower run.in_flight") from None
        except BaseException:
            self.halt.set()
            raise
        if self.errors:
            raise self.errors[0]

    def is_set(self) -> bool:
        """Stop: somebody outside said so, or one of the threads cannot go on."""
        return self.halt.is_set() or self.stop.is_set()

    def _work(self) -> None:
        try:
            while (place := self._next()) is not None:
                due = self.base_ns + place * self.period_ns
                if not wait_until(self.clock, due, self) or not self.make(self.asks[place], due, self):
                    return
        except BaseException as error:
            self.errors.append(error)
            self.halt.set()

    def _next(self) -> int | None:
        with self.lock:
            if self.taken >= len(self.asks):
                return None
            self.taken += 1
            return self.taken - 1


def period_ns(rate: str) -> int:
    """Nanoseconds from one request to the next, of requests a second as decimal text."""
    return int(Decimal(1_000_000_000) / Decimal(rate))


def wait_until(clock: Clock, due_ns: int, stop: Stop) -> bool:
    """Sleeps; false when told to stop."""
    while not stop.is_set():
        left = (due_ns - clock.mono_ns()) / 1e9
        if left <= 0:
            return True
        clock.sleep(min(left, NAP_S))
    return False


def bound_ms(terms: Terms, attempts: int) -> int:
    """No window takes longer: every attempt ends at its deadline at the latest."""
    warm = terms.warmups * terms.deadline_ms
    if not terms.rate:
        return warm + attempts * terms.deadline_ms + max(attempts - 1, 0) * terms.pause_ms
    rounds = -(-attempts // max(terms.in_flight, 1))
    return warm + attempts * period_ns(terms.rate) // 1_000_000 + rounds * terms.deadline_ms
