"""Carrying out a plan with long-lived worker threads: one queue, retries as the seal promises, a clean stop."""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field

from denominator.errors import DenominatorError, Exit
from denominator.pipeline.applying import UnknownAttemptError
from denominator.pipeline.attempt import Turn
from denominator.pipeline.carrier import HERE, Carrier
from denominator.pipeline.halting import why_capped, why_spent
from denominator.pipeline.notes import Notes, StoppedError
from denominator.pipeline.promises import promise_retry
from denominator.pipeline.unexplained import unknown_text
from denominator.pipeline.world import OpenRun, World
from denominator.records.keys import AttemptKey
from denominator.run.decisions import next_attempt
from denominator.run.progress import Progress

POLL_S = 0.2


@dataclass(slots=True)
class StopFlag:
    """Says "end now", and why; set once by a signal handler or by a worker that cannot go on.

    `halted` holds runs that start nothing more while others go on, and why.
    """

    why: str = ""
    exit: Exit = Exit.DONE
    event: threading.Event = field(default_factory=threading.Event)
    halted: dict[str, str] = field(default_factory=dict)

    def set(self, why: str, code: Exit) -> None:
        """Ask everybody to stop; the first reason is kept."""
        if not self.event.is_set():
            self.why, self.exit = why, code
            self.event.set()

    def is_set(self) -> bool:
        """Has somebody asked?"""
        return self.event.is_set()


@dataclass(slots=True)
class Shift:
    """The work of one process: open attempts in order, and what went wrong."""

    world: World
    stop: StopFlag
    carrier: Carrier = HERE
    todo: queue.SimpleQueue[tuple[OpenRun, AttemptKey, int]] = field(default_factory=queue.SimpleQueue)
    left: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    errors: list[str] = field(default_factory=list)
    warm: set[tuple[str, int]] = field(default_factory=set)

    def add(self, run: OpenRun, key: AttemptKey) -> None:
        """Put one attempt at the end of the queue."""
        with self.lock:
            self.left += 1
        self.todo.put((run, key, self.world.clock.mono_ns()))

    def finished(self) -> bool:
        """Is nothing queued or in flight?"""
        with self.lock:
            return self.left == 0


Job = tuple[OpenRun, AttemptKey]


def carry_out(
    world: World, batches: Sequence[Sequence[Job]], workers: int, stop: StopFlag, carrier: Carrier = HERE
) -> list[str]:
    """Run attempts with `workers` threads until none is left or `stop` is set; a batch begins when the one before ended.

    Each thread has its attempt carried by `carrier`. Returns what went wrong, for people.
    """
    shift = Shift(world, stop, carrier)
    for batch in batches:
        for run, key in batch:
            shift.add(run, key)
        _work_off(shift, workers)
    return shift.errors


def _work_off(shift: Shift, workers: int) -> None:
    """Threads that live until the queue is empty: a sandbox dies with the thread that started it."""
    threads = [threading.Thread(target=_work, args=(shift, slot), name=f"slot-{slot}") for slot in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(POLL_S)


def _work(shift: Shift, slot: int) -> None:
    while not shift.stop.is_set() and not shift.finished():
        try:
            run, key, ready_ns = shift.todo.get(timeout=POLL_S)
        except queue.Empty:
            continue
        try:
            _one(shift, run, key, Turn(slot=slot, cold=_cold(shift, run, slot), ready_ns=ready_ns))
        except StoppedError:
            shift.world.reporter.attempt(key, "stopped", {})
        except Exception as error:  # a worker that dies silently would leave the run waiting for ever
            _give_up(shift, run, key, error)
        finally:
            with shift.lock:
                shift.left -= 1


def _one(shift: Shift, run: OpenRun, key: AttemptKey, turn: Turn) -> None:
    halted = shift.stop.halted
    if why := why_capped(run):
        halted.setdefault(run.run_id, why)
    if run.run_id in halted and not any(event.kind == "started" for event in run.journal.events(key)):
        return
    state = shift.carrier.carry(shift.world, run, key, turn, shift.stop)
    if why := why_spent(state):
        halted.setdefault(run.run_id, why)
    # Endings that a verdict gave are not told apart here: counting them would be a look before the gate has spoken.
    word = "graded" if state.verdict else state.stop_reason
    shift.world.reporter.attempt(key, word, {"arm": str(run.seal.arm.label)})
    _promise_next(shift, run, state)


def _promise_next(shift: Shift, run: OpenRun, state: Progress) -> None:
    """The retry that the seal promises after an infrastructure ending, as a new attempt of the same draw."""
    key = next_attempt(state, run.seal)
    if key is not None and not any(run.journal.events(key)):
        promise_retry(shift.world.failpoints, run, key, state)
        shift.add(run, key)


def _cold(shift: Shift, run: OpenRun, slot: int) -> bool:
    with shift.lock:
        place = (run.run_id, slot)
        first = place not in shift.warm
        shift.warm.add(place)
    return first


def _give_up(shift: Shift, run: OpenRun, key: AttemptKey, error: Exception) -> None:
    """An error that no attempt may swallow: stop the run, keep the promise open, say what to look at."""
    where = f"{run.run_id}: {key.task_id} repeat {key.repeat} attempt {key.attempt}"
    why, code, text = _explained(run, key, error)
    shift.errors.append(f"{where}: {text}")
    shift.stop.set(why, code)


def _explained(run: OpenRun, key: AttemptKey, error: Exception) -> tuple[str, Exit, str]:
    """Why the run stops, with which exit code, in words for people. Only a bug of ours shows its traceback."""
    resume = f"\n  next: denominator resume {run.run_id}"
    if isinstance(error, UnknownAttemptError):
        return "unknown_state", Exit.UNKNOWN_STATE, unknown_text(run, key, error.payload)
    if isinstance(error, DenominatorError):
        return "error", error.exit, str(error)
    if isinstance(error, OSError):
        why = "disk" if Notes.is_full(error) else "error"
        return why, Exit.OPEN, f"this machine refused: {error}; the journal has what was done{resume}"
    return "error", Exit.UNKNOWN_STATE, "".join(traceback.format_exception(error))
