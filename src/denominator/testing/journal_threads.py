"""Checks of many threads that write through one handle at once, as the slots of a run do.

A store may commit for several of them together. Nobody may notice: each is told of its own, and of nothing but its own.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Barrier, Lock
from typing import TypeVar

from denominator.errors import DenominatorError, DuplicateError, FencedError, InputError
from denominator.ports import Journal
from denominator.records.events import Event
from denominator.records.rows import CallRow
from denominator.testing.journal_bench import Check, JournalBench, differs, draft, key_of, refused

T = TypeVar("T")
THREADS = 8
EACH = 6
BEFORE = "journal.before_commit"


class Slow:
    """`ports.Failpoints` at which every commit takes a moment, so that others come while it lasts."""

    armed: tuple[str, ...] = ()

    def hit(self, name: str) -> None:
        """Wait."""
        self.wait(name)

    def wait(self, name: str) -> None:
        """As long as a slow disk takes."""
        if name == BEFORE:
            time.sleep(0.002)


class FailsOften(Slow):
    """Every fourth commit ends with an error of the system."""

    armed = (f"{BEFORE}=eio",)

    def __init__(self) -> None:
        self._lock, self._hits = Lock(), 0

    def hit(self, name: str) -> None:
        """Wait, and raise OSError at times."""
        self.wait(name)
        if name == BEFORE:
            with self._lock:
                self._hits += 1
                fails = self._hits % 4 == 0
            if fails:
                raise OSError(errno.EIO, os.strerror(errno.EIO), name)


def threads_are_refused_alone(bench: JournalBench) -> list[str]:
    """What is refused fails its own caller and leaves nothing; what others wrote at the same moment is there, once, in order."""
    journal = bench.again(bench.begin(), Slow())
    for number in range(THREADS):
        key = key_of(journal, f"t{number}")
        journal.append(draft("promised", key), draft("started", key, incarnation=2))
    found = _at_once(partial(_mixed, journal))
    breaches = [breach for each, _ in found for breach in each]
    events = {event.seq: event for event in journal.events()}
    for number, (_, written) in enumerate(found):
        key = key_of(journal, f"t{number}")
        kept = [event for event in events.values() if event.key == key and event.kind == "output"]
        breaches += differs(f"what thread {number} was told", [events.get(event.seq) for event in written], written)
        breaches += differs(f"events of thread {number}", kept, written)
        breaches += differs("groups stay together", [b.seq - a.seq for a, b in _pairs(kept)], [1] * EACH)
    calls = sorted((row.key.task_id, row.seq) for row in journal.calls())
    wanted = sorted((f"t{number}", n) for number in range(THREADS) for n in range(EACH))
    total = THREADS * (2 + 2 * EACH)
    return [*breaches, *differs("calls", calls, wanted), *differs("events", len(events), total), *journal.verify()]


def _mixed(journal: Journal, number: int) -> tuple[list[str], list[Event]]:
    """One thread: groups and calls that are right, and among them some that are not."""
    key, written, breaches = key_of(journal, f"t{number}"), list[Event](), list[str]()
    good = draft("output", key, incarnation=2, n=-1)
    wrong: tuple[tuple[type[DenominatorError], Callable[[], object]], ...] = (
        (DuplicateError, lambda: journal.append(good, draft("promised", key))),
        (FencedError, lambda: journal.append(good, draft("output", key, incarnation=1))),
        (InputError, lambda: journal.append(good, draft("output", key, incarnation=2, text="\ud800"))),
        (DuplicateError, lambda: journal.append(draft("promised", key))),
    )
    for n in range(EACH):
        written += journal.append(*(draft("output", key, incarnation=2, n=n, part=part) for part in range(2)))
        breaches += refused(*wrong[n % len(wrong)], f"thread {number}, {n}")
        call = CallRow(key=key, incarnation=2, seq=n)
        journal.put_calls(call)
        again = partial(journal.put_calls, CallRow(key=key, incarnation=2, seq=n + 100), call)
        breaches += refused(DuplicateError, again, f"thread {number}, call {n} again")
    return breaches, written


def _pairs(events: list[Event]) -> list[tuple[Event, Event]]:
    return list(zip(events[::2], events[1::2], strict=False))


def a_failed_commit_takes_back_what_it_held_and_no_more(bench: JournalBench) -> list[str]:
    """Whoever was told of an error has nothing in the journal; whoever was not has all of it."""
    journal = bench.again(bench.begin(), FailsOften())

    def write(number: int) -> list[tuple[int, int]]:
        said = []
        for n in range(EACH):
            with suppress(OSError):
                journal.append(*(draft("output", key_of(journal), who=number, n=n) for _ in range(2)))
                said.append((number, n))
        return said

    said = sorted(one for each in _at_once(write) for one in each)
    kept = [(event.payload["who"], event.payload["n"]) for event in bench.again(journal).events()]
    breaches = differs("some were told of an error", 0 < len(said) < THREADS * EACH, True)
    breaches += differs("events", sorted(kept), sorted([*said, *said]))
    return [*breaches, *differs("groups stay together", kept[::2], kept[1::2]), *journal.verify()]


def threads_that_are_killed_lose_nothing_that_was_reported(bench: JournalBench) -> list[str]:
    """After SIGKILL of a process whose threads wrote at once, what any of them was told is there, in whole groups."""
    journal = bench.begin()
    code = f"""
from threading import Thread
journal = opens(run_id, NoFailpoints())
def write(who):
    for n in range(10**6):
        journal.append(*(draft("output", key_of(journal), who=who, n=n) for _ in range(2)))
        os.write(1, f"{{who}} {{n}}\\n".encode())
for who in range({THREADS}):
    Thread(target=write, args=(who,)).start()
"""
    writer = bench.process(journal, code)
    assert writer.stdout is not None
    lines = [writer.stdout.readline() for _ in range(10 * THREADS)]
    writer.kill()
    lines += [line for line in writer.stdout.read().splitlines(keepends=True) if line.endswith(b"\n")]
    writer.wait()
    said = [tuple(map(int, line.split())) for line in lines]
    reader = bench.again(journal)
    kept = [(event.payload["who"], event.payload["n"]) for event in reader.events()]
    return [
        *differs("reported and lost", sorted(set(said) - set(kept)), []),
        *differs("groups stay together", kept[::2], kept[1::2]),
        *differs("written twice", len(kept), 2 * len(set(kept))),
        *reader.verify(),
    ]


def _at_once(work: Callable[[int], T]) -> list[T]:
    start = Barrier(THREADS)

    def begin(number: int) -> T:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


THREADED: tuple[Check, ...] = (
    threads_are_refused_alone, a_failed_commit_takes_back_what_it_held_and_no_more,
    threads_that_are_killed_lose_nothing_that_was_reported,
)  # fmt: skip
