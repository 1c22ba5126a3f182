"""Run and resume: promise, controls, attempts, close. START HERE to see a run whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from denominator.errors import DenominatorError, Exit, OpenPromisesError
from denominator.ledger.fold import fold
from denominator.pipeline.attempt import discard_scratch
from denominator.pipeline.carrier import HERE, Carrier
from denominator.pipeline.controls import run_controls
from denominator.pipeline.engine import Job, StopFlag, carry_out
from denominator.pipeline.files import Said, write_files
from denominator.pipeline.halting import is_capped, not_started, told
from denominator.pipeline.narration import is_probe, probe_asked, promise_probe, record_narration
from denominator.pipeline.notes import Notes
from denominator.pipeline.promises import WARMUP_REPEAT, promise_due, promise_plan
from denominator.pipeline.world import OpenRun, World
from denominator.planning.interleave import interleave
from denominator.ports import Failpoints
from denominator.records.events import Draft, Json
from denominator.records.keys import AttemptKey, DrawKey
from denominator.records.packs import Baseline
from denominator.records.rows import Ledger
from denominator.records.words import Phase, Writer
from denominator.run.progress import read_progress
from denominator.run.spending import RUN_CAP


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a call of `run_all` ended: exit code so far, and messages for people."""

    exit: Exit
    why: str
    messages: tuple[str, ...]


def run_all(
    world: World,
    runs: Sequence[OpenRun],
    baseline: Baseline,
    stop: StopFlag,
    only: frozenset[str] = frozenset(),
    carrier: Carrier = HERE,
) -> RunResult:
    """Carry out (or go on with) runs that share one window: arms alternate task by task."""
    said = Said(world.reporter, world.clock)
    world = replace(world, reporter=said)
    every, runs = runs, [run for run in runs if not is_at_rest(run)]
    for run in every:
        if run not in runs:
            run.journal.check_free()  # whoever holds it may be writing its files
    messages = [text for run in every if run not in runs for text in _files(world, run, stop, said)]
    if not runs:
        return RunResult(_exit(every, stop), stop.why or "finished", tuple(messages))
    with ExitStack() as stack:
        for run in runs:
            stack.enter_context(run.journal.lease())
            with _or_open(run):
                world.failpoints.hit("lease.acquired")
                begin(world.failpoints, run, world.argv)
                promise_plan(world.failpoints, run, only)
                promise_due(world.failpoints, run)
                if probe_asked(run):
                    promise_probe(run, only)
        jobs = in_order(runs, only)
        messages += [text for run in runs for text in shown_controls(world, run, baseline, stop)]
        messages += carry_out(world, jobs, max(_workers(run) for run in runs), stop, carrier)
        for message in messages:
            said.note("error", message)
        for run in runs:
            messages += finish(world, run, stop, said)
    return RunResult(_exit(every, stop), stop.why or "finished", tuple(messages))


@contextmanager
def _or_open(run: OpenRun) -> Iterator[None]:
    """What the machine refuses while a run begins leaves it open: what was not promised yet will be."""
    try:
        yield
    except OSError as error:
        what = f"the run could not be begun: {error}"
        raise OpenPromisesError(
            what, where=run.run_id, fix=f"make room, then denominator resume {run.run_id}"
        ) from None


def shown_controls(world: World, run: OpenRun, baseline: Baseline, stop: StopFlag) -> list[str]:
    """The controls of a run, unless it is to stop. A host that has no room for them stops it: they are still to be shown."""
    if stop.is_set():
        return []
    try:
        run_controls(world, run, baseline, stop)
    except OSError as error:
        stop.set("disk" if Notes.is_full(error) else "error", Exit.OPEN)
        return [f"{run.run_id}: its controls could not be shown: {error}\n  next: denominator resume {run.run_id}"]
    return []


def begin(failpoints: Failpoints, run: OpenRun, argv: Sequence[str] = ()) -> None:
    """Say in the journal that a process starts or resumes this run, what was typed, and which failpoints are armed in it."""
    starts = 1 + sum(e.kind == "run.started" for e in run.journal.standing().of_run)
    payload: dict[str, Json] = {"seal": run.seal_digest, "starts": starts, "probe": run.probe}
    if argv:
        payload["argv"] = [*argv]
    if failpoints.armed:
        payload["failpoints"] = [*failpoints.armed]
    failpoints.hit("run.start.before")
    run.journal.append(Draft(kind="run.started", phase=Phase.RUN, writer=Writer.HARNESS, payload=payload))


def in_order(runs: Sequence[OpenRun], only: frozenset[str]) -> tuple[list[Job], list[Job], list[Job]]:
    """Open attempts: warm-ups; draws with the arms alternating, a draw's promised retries right after it; probes."""
    draws = interleave({run.run_id: run.seal.plan for run in runs})
    by_id = {run.run_id: run for run in runs}
    left = [(run, key) for run in runs for key in open_promises(run, only)]
    aside = [job for job in left if job[1].repeat == WARMUP_REPEAT]
    of_draw: dict[tuple[str, DrawKey], list[AttemptKey]] = {}
    for run, key in left:
        of_draw.setdefault((run.run_id, key.draw), []).append(key)
    counted = [(by_id[name], key) for name, draw in draws for key in of_draw.get((name, draw), ())]
    return [j for j in aside if not is_probe(j[1])], counted, [j for j in aside if is_probe(j[1])]


def finish(world: World, run: OpenRun, stop: StopFlag, said: Said) -> list[str]:
    """Say why this process stops, write the run's files; what closed attempts left on disk goes. Returns what failed."""
    halted = stop.halted.get(run.run_id) or (RUN_CAP if is_capped(run) else "")
    left = not_started(read_progress(run.journal.standing().open).values()) if halted else []
    payload: dict[str, Json] = {"why": stop.why or halted or "finished"}
    if halted:
        payload["not_started"] = [f"{key.task_id} r{key.repeat} a{key.attempt}" for key in left]
        said.line(told(run, halted, left))
    if failed := _files(world, run, stop, said, payload):
        return failed
    if run.folder.work.is_dir() and not run.keep and not open_promises(run):
        discard_scratch(world, run.folder.work)
    return []


def _files(world: World, run: OpenRun, stop: StopFlag, said: Said, ends: Mapping[str, Json] | None = None) -> list[str]:
    """Write the run's files, and its end where it `ends` now. Where that fails the run is not done: it is to be resumed."""
    try:
        if ends is not None:
            record_narration(run)
            world.failpoints.hit("run.stop.before")
            run.journal.append(Draft(kind="run.stopped", phase=Phase.RUN, writer=Writer.HARNESS, payload=ends))
        write_files(world.failpoints, run, read_ledger(run), said.lines_of(run.run_id))
    except (OSError, DenominatorError) as error:
        stop.set("disk" if isinstance(error, OSError) and Notes.is_full(error) else "error", Exit.OPEN)
        again = f"\n  next: denominator resume {run.run_id}"
        return [f"{run.run_id}: the end of the run could not be written down: {error}{again}"]
    return []


def is_at_rest(run: OpenRun) -> bool:
    """Did the last process finish this run and leave nothing to do? Then a resume changes no byte of it."""
    of_run = run.journal.standing().of_run
    ended = bool(of_run) and of_run[-1].kind == "run.stopped" and of_run[-1].payload.get("why") in ("finished", RUN_CAP)
    return ended and not run.folder.work.is_dir() and not open_promises(run)


def open_promises(run: OpenRun, only: frozenset[str] = frozenset()) -> list[AttemptKey]:
    """Attempts that were promised, have no ending and may still get one; with `only` those of the named tasks."""
    states = read_progress(run.journal.standing().open)
    out = frozenset(not_started(states.values()) if is_capped(run) else ())
    wanted = (key for key in states if key not in out)
    return sorted(key for key in wanted if not only or key.task_id in only)


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
