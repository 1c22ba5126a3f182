"""`processes://N`: N worker processes on this machine."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import SplitResult
from uuid import uuid4

from denominator.adapters.workers.child import END_WITHIN_S, Children, GoneError
from denominator.errors import InputError
from denominator.ports import Carried

MOST = 1000


@dataclass(slots=True)
class Ticket:
    """One job: of which run, which slot has it, what became of it."""

    run: str
    job: str
    slot: Children | None = None
    cancelled: bool = False
    carried: Carried | None = None
    over: threading.Event = field(default_factory=threading.Event)


class Processes:
    """`ports.Workers`: jobs wait in one queue, each slot has one at a time."""

    name = "processes"

    def __init__(self, module: str, count: int) -> None:
        self.end_within_s = END_WITHIN_S
        self._todo: queue.SimpleQueue[Ticket | None] = queue.SimpleQueue()
        self._tickets: dict[str, Ticket] = {}
        self._slots = [Children(module) for _ in range(count)]
        self._threads = [threading.Thread(target=self._work, args=(slot,), name="worker") for slot in self._slots]
        for thread in self._threads:
            thread.start()

    def submit(self, run: str, job: str) -> str:
        """Put a job into the queue."""
        ticket = Ticket(run, job)
        self._tickets[name := uuid4().hex] = ticket
        self._todo.put(ticket)
        return name

    def poll(self, ticket: str, seconds: float) -> Carried | None:
        """What became of a job; it is forgotten when told."""
        job = self._tickets[ticket]
        if not job.over.wait(seconds):
            return None
        del self._tickets[ticket]
        return job.carried

    def cancel(self, ticket: str) -> None:
        """Stop a job that runs; one that waits never begins."""
        job = self._tickets.get(ticket)
        if job is not None:
            job.cancelled = True
            if job.slot is not None:
                job.slot.stop(job.run)

    def pids(self) -> list[int]:
        """The processes that live."""
        return [pid for slot in self._slots for pid in slot.pids()]

    def close(self) -> None:
        """End all processes; one that does not end its job within `end_within_s` is killed."""
        for ticket in list(self._tickets):
            self.cancel(ticket)
        for _ in self._threads:
            self._todo.put(None)
        until = time.monotonic() + self.end_within_s
        for slot, thread in zip(self._slots, self._threads, strict=True):
            thread.join(max(0, until - time.monotonic()))
            while thread.is_alive():
                slot.kill()
                thread.join(1)
            slot.close()

    def _work(self, slot: Children) -> None:
        while (ticket := self._todo.get()) is not None:
            ticket.slot = slot
            if ticket.cancelled:
                ticket.carried = Carried(lost="it was cancelled before it began")
            else:
                ticket.carried = _asked(slot, ticket)
            ticket.over.set()


def _asked(slot: Children, ticket: Ticket) -> Carried:
    try:
        return Carried(answer=slot.ask(ticket.run, ticket.job))
    except (GoneError, OSError) as error:
        return Carried(lost=str(error))


class Engine:
    """`processes://N` as an engine: workers of this machine."""

    on_many_machines = False

    def connect(self, address: SplitResult, module: str) -> Processes:
        """`processes://N`. Raises InputError."""
        count = address.netloc
        if not count.isdigit() or not 0 < int(count) <= MOST or address.path not in ("", "/"):
            raise InputError(
                f"{address.geturl()!r} names no number of processes",
                where="--workers",
                fix="processes://N, such as processes://4",
            )
        return Processes(module, int(count))


ENGINE = Engine()
