"""The verbs `run`, `resume` and `demo` as calls in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from denominator.errors import InputError
from denominator.pipeline.lineage import LAST, Wanted
from denominator.pipeline.probed import doubts
from denominator.pipeline.results import SCRATCH, Result, is_scratch, unpromised
from denominator.pipeline.resuming import owed
from denominator.pipeline.run import RunResult, open_promises
from denominator.pipeline.sealing import plan_of, read_seal
from denominator.pipeline.world import OpenRun
from denominator.planning.cost import worst_case
from denominator.ports import Reporter
from denominator.records.events import Json
from denominator.records.packs import FoundPack
from denominator.records.values import NotMeasured
from denominator.wire.codec import to_json
from denominator.wiring.journals import place_of
from denominator.wiring.opening import find_run
from denominator.wiring.reaching import require_reached
from denominator.wiring.reading import pack_of, read_starts
from denominator.wiring.running import carry_on, stop_on_signals
from denominator.wiring.starting import (
    Places,
    Start,
    check_resumable,
    check_starts,
    pack_of_run,
    ready,
    refuse_bad_id,
    start_runs,
)
from denominator.wiring.workers import carrier_of, check_workers, open_workers
from denominator.wiring.world import a_world


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line said; `argv` is itself, fit to be kept."""

    envelopes: tuple[Path, ...]
    label: str | None = None
    pack_name: str | None = None
    run_id: str | None = None
    only: frozenset[str] = frozenset()
    keep: bool = False
    unsandboxed: bool = False
    probe: bool = False
    lineage: Wanted = LAST
    workers: str = ""
    journal: str = ""
    runs_dir: Path
    cache_dir: Path
    argv: tuple[str, ...] = ()

    @property
    def places(self) -> Places:
        """Where runs and baselines lie."""
        return Places(runs_dir=self.runs_dir, cache_dir=self.cache_dir)


WEAK_BACKEND = "landlock"
WEAK_SAID = "IN THE WEAK SANDBOX (landlock): several protections do not hold; the card is stamped and capped at counts"

Outcome = tuple[RunResult, list[OpenRun], list[Result]]


def stamp_now() -> str:
    """The start of a default run id: UTC, sortable."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")


def starts_of(options: Options) -> tuple[list[Start], FoundPack]:
    """The arms to run and their pack. A scratch run is named so and promises only the tasks that were asked for."""
    if options.keep and not options.only:
        raise InputError("--keep goes with --only", where="--keep", fix="name the tasks to look at")
    if options.keep and options.workers:
        raise InputError("workers keep no workspaces", where="--keep", fix="run without --workers")
    options.lineage.check()
    starts = read_starts(options.envelopes, options.label, _run_id(options), _stamp(options))
    starts = [replace(start, lineage=options.lineage, journal=options.journal) for start in starts]
    found = pack_of(starts, options.pack_name)
    known = [task.id for task in found.pack.tasks]
    if unknown := sorted(options.only - set(known)):
        near = get_close_matches(unknown[0], known, 3) or known
        raise InputError(f"no task is called {', '.join(unknown)}", where=found.root, fix=f"one of: {', '.join(near)}")
    return starts, found


def _run_id(options: Options) -> str:
    """The run id that was asked for, marked when it is a scratch run; "" when none was."""
    if options.run_id is None:
        return ""
    refuse_bad_id(options.run_id)
    if options.only:
        return f"{SCRATCH}{options.run_id.removeprefix(SCRATCH)}"
    if is_scratch(options.run_id):
        raise InputError(f"{SCRATCH} marks runs of --only", where="--run-id", fix="choose another --run-id")
    return options.run_id


def _stamp(options: Options) -> str:
    return (SCRATCH if options.only else "") + stamp_now()


def dry(options: Options) -> dict[str, Json]:
    """Draws and worst-case tokens of what would run, or the refusal that a run would meet. Nothing is written."""
    starts, found = starts_of(options)
    check_starts(starts, found, options.places, far=bool(options.workers))
    check_workers(options.workers, [start.envelope for start in starts], on_server=bool(options.journal))
    return {
        "pack": f"{found.pack.id} {found.pack.version}",
        "tasks": len(found.pack.tasks),
        "arms": [_dry_arm(start, found, options) for start in starts],
    }


def _dry_arm(start: Start, found: FoundPack, options: Options) -> Json:
    plan = plan_of(start.envelope, found, start.where)
    draws = tuple(d for d in plan.draws if not options.only or d.draw.task_id in options.only)
    cost = worst_case(replace(plan, draws=draws), start.envelope.budget, start.envelope.run, probe=options.probe)
    return {
        "arm": str(start.arm.label),
        "draws": len(draws),
        "attempts_max": _amount(cost.attempts),
        "tokens_max": _amount(cost.tokens),
        "order": plan.order_digest,
    }


def _amount(value: int | NotMeasured) -> Json:
    return value if isinstance(value, int) else to_json(value)


def execute(options: Options, reporter: Reporter) -> Outcome:
    """Seal and run every arm."""
    starts, found = starts_of(options)
    return run_starts(starts, found, options, reporter)


def run_starts(starts: Sequence[Start], found: FoundPack, options: Options, reporter: Reporter) -> Outcome:
    """Run arms that were read or made."""
    check_starts(starts, found, options.places, far=bool(options.workers))
    check_workers(options.workers, [start.envelope for start in starts], on_server=bool(options.journal))
    terms = starts[0].envelope.sandbox
    if terms.backend == WEAK_BACKEND and not options.unsandboxed:
        reporter.line(WEAK_SAID)
    hidden = (Path(found.root), options.runs_dir)
    with (
        stop_on_signals() as stop,
        a_world(terms, reporter, unsandboxed=options.unsandboxed, hidden=hidden) as world,
        open_workers(options.workers) as workers,
    ):
        if workers is None:
            require_reached((start.arm, start.envelope) for start in starts)
        runs, baseline = start_runs(
            world,
            starts,
            found,
            options.places,
            unsandboxed=options.unsandboxed,
            stop=stop,
            keep=options.keep,
            far=workers is not None,
        )
        runs = [replace(run, probe=options.probe) for run in runs]
        expect(reporter, runs, options.only)
        carrier = carrier_of(workers, options.workers, runs)
        done, results = carry_on(replace(world, argv=options.argv), runs, baseline, stop, options.only, carrier)
        return done, runs, results


def resume_run(name: str, options: Options, reporter: Reporter) -> Outcome:
    """Go on with one run from what its journal says."""
    folder = find_run(name, options.runs_dir)
    seal = read_seal(folder.seal)
    check_workers(options.workers, [seal.envelope], on_server=place_of(folder) is not None)
    with stop_on_signals() as stop:
        hidden = (options.runs_dir, folder.root.parent)
        with (
            a_world(seal.envelope.sandbox, reporter, unsandboxed=seal.unsandboxed, hidden=hidden) as world,
            open_workers(options.workers) as workers,
        ):
            run = replace(ready(world, folder, far=workers is not None), keep=options.keep)
            baseline = check_resumable(world, run, pack_of_run(run))
            left = len(open_promises(run)) + unpromised(run) + owed(run)
            if left and workers is None:
                require_reached([(seal.arm, seal.envelope)])
            for text in doubts(seal) if left else ():
                reporter.line(text)
            reporter.expect(left)
            carrier = carrier_of(workers, options.workers, [run])
            done, results = carry_on(replace(world, argv=options.argv), [run], baseline, stop, carrier=carrier)
            return done, [run], results


def expect(reporter: Reporter, runs: Sequence[OpenRun], only: frozenset[str] = frozenset()) -> None:
    """Tell the reporter how many attempts are planned."""
    draws = [d.draw.task_id for run in runs for d in run.seal.plan.draws]
    warmups = [task_id for run in runs for task_id in run.seal.plan.warmup]
    probes = [task_id for run in runs if run.probe for task_id in {d.draw.task_id for d in run.seal.plan.draws}]
    reporter.expect(sum(not only or task_id in only for task_id in (*draws, *warmups, *probes)))


def seal_only(options: Options, reporter: Reporter) -> list[OpenRun]:
    """Seal every arm and promise nothing yet."""
    starts, found = starts_of(options)
    check_starts(starts, found, options.places)
    with a_world(starts[0].envelope.sandbox, reporter, hidden=(Path(found.root), options.runs_dir)) as world:
        runs, _ = start_runs(world, starts, found, options.places)
        return runs
