"""One order in a worker: claim the attempt, bring it on with `run_attempt` while the claim stands, give it back.

The claim saves work; what protects is the incarnation (ports.Journal). A worker whose claim is lost ends its sandbox, and
what it would still write is refused. `run.stopping` in the journal ends its sandbox too.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from denominator.errors import DenominatorError, DuplicateError, Exit, FencedError, OpenPromisesError
from denominator.pipeline.applying import UnknownAttemptError
from denominator.pipeline.attempt import Turn, discard_scratch, run_attempt
from denominator.pipeline.notes import StoppedError
from denominator.pipeline.orders import Answer, Order, Word, of_error
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Clock, Journal, Stop
from denominator.records.claims import Claim

LOOKS_S = 1.0
NS = 1_000_000_000


@dataclass(slots=True)
class Hold:
    """`ports.Stop` of a worker at an attempt: told by its own process, by the journal, or its claim is lost.

    `until_ns` is when the claim runs out as far as this process knows; it lies before the journal's own time of it.
    """

    journal: Journal
    claim: Claim
    clock: Clock
    told: Stop
    order: Order
    until_ns: int
    seen: int
    lost: bool = False
    stopping: bool = False
    done: threading.Event = field(default_factory=threading.Event)

    def is_set(self) -> bool:
        """End now?"""
        return self.stopping or self.told.is_set() or self.over()

    def over(self) -> bool:
        """Is the claim lost, or has nothing been heard of it for as long as it holds?"""
        self.lost = self.lost or self.clock.mono_ns() >= self.until_ns
        return self.lost

    def keep(self) -> None:
        """Renew the claim and look for the flag until the attempt is done; runs in a thread of its own."""
        every = min(LOOKS_S, self.order.claim_ms / 4000)
        renew_at = self.clock.mono_ns() + self.order.claim_ms * 1_000_000 // 4
        while not self.done.wait(every) and not self.lost:
            try:
                self._look()
                if self.clock.mono_ns() >= renew_at:
                    renew_at = self.clock.mono_ns() + self.order.claim_ms * 1_000_000 // 4
                    self._renew()
            except (DenominatorError, OSError):
                continue  # the journal is away: the claim stands until it runs out

    def _look(self) -> None:
        for event in self.journal.events(after=self.seen):
            self.seen = event.seq
            self.stopping = self.stopping or event.kind == "run.stopping"

    def _renew(self) -> None:
        asked_ns = self.clock.mono_ns()
        if not self.journal.renew(self.claim, self.order.claim_ms / 1000):
            self.lost = True
        elif not self.over():
            self.until_ns = asked_ns + self.order.claim_ms * 1_000_000


@dataclass(slots=True)
class Seen:
    """How far this process has read the run's own events, so that each is read once."""

    seq: int = 0


def work(world: World, run: OpenRun, order: Order, told: Stop, seen: Seen, *, cold: bool) -> Answer:
    """Carry out one order and say how it ended."""
    try:
        with _held(world, run, order, told, seen) as hold:
            if hold is None:
                return Answer(word=Word.HELD)
            return _attempt(world, run, order, hold, cold=cold)
    except OpenPromisesError as error:
        return Answer(word=Word.NO_JOURNAL, what=str(error))
    except DenominatorError as error:
        return of_error(error)
    except OSError as error:
        fix = f"make room or mend the disk, then denominator resume {run.run_id}"
        return Answer(word=Word.ERROR, what=f"the attempt stays open: {error}", fix=fix, exit=int(Exit.OPEN))
    except Exception as error:
        return Answer(word=Word.ERROR, what="".join(traceback.format_exception(error)), exit=int(Exit.UNKNOWN_STATE))


def _attempt(world: World, run: OpenRun, order: Order, hold: Hold, *, cold: bool) -> Answer:
    ready_ns = world.clock.mono_ns() - order.waited_ms * 1_000_000
    try:
        state = run_attempt(world, run, order.key, Turn(slot=order.slot, cold=cold, ready_ns=ready_ns), hold)
    except StoppedError:
        return Answer(word=Word.FENCED if hold.lost else Word.STOPPED)
    except FencedError as error:
        hold.lost = True
        return Answer(word=Word.FENCED, what=error.what)
    except DuplicateError:
        if not hold.over() and hold.journal.renew(hold.claim, order.claim_ms / 1000):
            raise
        hold.lost = True
        return Answer(word=Word.FENCED)
    except UnknownAttemptError as error:
        return Answer(word=Word.UNKNOWN_STATE, payload=error.payload)
    return Answer(word=Word.CLOSED if state.closed else Word.STOPPED)


@contextmanager
def _held(world: World, run: OpenRun, order: Order, told: Stop, seen: Seen) -> Iterator[Hold | None]:
    """The claim while the attempt lasts; None when somebody else has it. What a lost one left on disk is thrown away."""
    asked_ns = world.clock.mono_ns()
    claim = run.journal.claim(order.key, order.claim_ms / 1000)
    if claim is None:
        yield None
        return
    until_ns = asked_ns + order.claim_ms * 1_000_000
    hold = Hold(run.journal, claim, world.clock, told, order, until_ns, max(seen.seq, order.since))
    keeper = threading.Thread(target=hold.keep, name="claim", daemon=True)
    keeper.start()
    try:
        yield hold
    finally:
        hold.done.set()
        keeper.join()
        seen.seq = hold.seen
        with suppress(DenominatorError, OSError):
            run.journal.release(claim)
        if hold.lost:
            discard_scratch(world, run.folder.attempt(order.key))
