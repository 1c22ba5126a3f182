"""Run and resume: promise, controls, attempts, close. START HERE to see a run whole."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from denominator.errors import Exit
from denominator.ledger.fold import fold
from denominator.pipeline.attempt import discard_scratch
from denominator.pipeline.controls import run_controls
from denominator.pipeline.engine import StopFlag, carry_out
from denominator.pipeline.promises import promise_plan
from denominator.pipeline.world import OpenRun, World
from denominator.records.events import Draft, Json
from denominator.records.keys import AttemptKey
from denominator.records.packs import Baseline
from denominator.records.rows import Ledger
from denominator.records.words import Phase, Writer
from denominator.run.progress import read_progress


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a call of `run_all` ended: exit code so far, and messages for people."""

    exit: Exit
    why: str
    messages: tuple[str, ...]


def run_all(
    world: World, runs: Sequence[OpenRun], baseline: Baseline, stop: StopFlag, only: frozenset[str] = frozenset()
) -> RunResult:
    """Carry out (or go on with) runs that share one window: arms alternate task by task."""
    with ExitStack() as stack:
        for run in runs:
            stack.enter_context(run.journal.lease())
            begin(run)
        jobs = interleave([(run, open_attempts(run, promise_plan(run), only)) for run in runs])
        for run in runs:
            if not stop.is_set():
                run_controls(world, run, baseline, stop)
        workers = max(_workers(run) for run in runs)
        messages = carry_out(world, jobs, workers, stop)
        for run in runs:
            finish(world, run, stop)
    return RunResult(_exit(runs, stop), stop.why or "finished", tuple(messages))


def begin(run: OpenRun) -> None:
    """Say in the journal that a process starts or resumes this run."""
    starts = 1 + sum(e.kind == "run.started" for e in run.journal.events())
    payload: dict[str, Json] = {"seal": run.seal_digest, "starts": starts}
    run.journal.append(Draft(kind="run.started", phase=Phase.RUN, writer=Writer.HARNESS, payload=payload))


def open_attempts(run: OpenRun, keys: Sequence[AttemptKey], only: frozenset[str]) -> list[AttemptKey]:
    """Attempts without an ending, planned ones first in plan order, then promised retries."""
    states = read_progress(run.journal.events())
    order = {key: place for place, key in enumerate(keys)}
    found = [key for key, state in states.items() if state.open and (not only or key.task_id in only)]
    return sorted(found, key=lambda key: (order.get(key, len(order)), key))


def interleave(plans: Sequence[tuple[OpenRun, list[AttemptKey]]]) -> list[tuple[OpenRun, AttemptKey]]:
    """Same recorded task order, arms alternating per task."""
    longest = max((len(keys) for _, keys in plans), default=0)
    return [(run, keys[i]) for i in range(longest) for run, keys in plans if i < len(keys)]


def finish(world: World, run: OpenRun, stop: StopFlag) -> None:
    """Say why this process stops; what closed attempts left on disk goes."""
    payload: dict[str, Json] = {"why": stop.why or "finished"}
    run.journal.append(Draft(kind="run.stopped", phase=Phase.RUN, writer=Writer.HARNESS, payload=payload))
    if run.folder.work.is_dir() and not run.keep and not open_promises(run):
        discard_scratch(world, run.folder.work)


def open_promises(run: OpenRun) -> list[AttemptKey]:
    """Attempts that were promised and have no ending."""
    return [key for key, state in read_progress(run.journal.events()).items() if state.open]


def read_ledger(run: OpenRun) -> Ledger:
    """The ledger of a run: the fold of its journal."""
    return fold(run.seal, run.run_id, run.journal.events(), run.journal.calls())


def _workers(run: OpenRun) -> int:
    wanted = run.seal.envelope.run.concurrency
    return wanted if isinstance(wanted, int) and wanted > 0 else 1


def _exit(runs: Sequence[OpenRun], stop: StopFlag) -> Exit:
    codes = [int(stop.exit)]
    codes += [int(Exit.OPEN) for run in runs if open_promises(run)]
    return Exit.worst(codes)
