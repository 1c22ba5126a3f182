"""The verbs `run`, `resume` and `demo` as calls in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from denominator.errors import InputError
from denominator.packs import load_pack
from denominator.pipeline.results import SCRATCH, Result
from denominator.pipeline.run import RunResult
from denominator.pipeline.sealing import plan_of, read_seal
from denominator.pipeline.world import OpenRun
from denominator.planning.cost import worst_case
from denominator.ports import Reporter
from denominator.records.events import Json
from denominator.records.packs import FoundPack
from denominator.records.values import NotMeasured
from denominator.wiring.opening import find_run, open_run
from denominator.wiring.reading import pack_of, read_starts
from denominator.wiring.running import carry_on, stop_on_signals
from denominator.wiring.starting import Places, Start, check_resumable, ready, start_runs
from denominator.wiring.world import a_world


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line said."""

    envelopes: tuple[Path, ...]
    label: str | None = None
    pack_name: str | None = None
    run_id: str = ""
    only: frozenset[str] = frozenset()
    keep: bool = False
    unsandboxed: bool = False
    runs_dir: Path
    cache_dir: Path

    @property
    def places(self) -> Places:
        """Where runs and baselines lie."""
        return Places(runs_dir=self.runs_dir, cache_dir=self.cache_dir)


Outcome = tuple[RunResult, list[OpenRun], list[Result]]


def stamp_now() -> str:
    """The start of a default run id: UTC, sortable."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")


def starts_of(options: Options) -> tuple[list[Start], FoundPack]:
    """The arms to run and their pack. A scratch run is named so and promises only the tasks that were asked for."""
    mark = SCRATCH if options.only else ""
    run_id = f"{mark}{options.run_id}" if options.run_id else ""
    starts = read_starts(options.envelopes, options.label, run_id, mark + stamp_now())
    found = pack_of(starts, options.pack_name)
    unknown = options.only - {task.id for task in found.pack.tasks}
    if unknown:
        raise InputError(
            f"no task is called {', '.join(sorted(unknown))}", where=found.root, fix="denominator pack show"
        )
    if options.keep and not options.only:
        raise InputError("--keep goes with --only", where="--keep", fix="name the tasks to look at")
    return starts, found


def dry(options: Options) -> dict[str, Json]:
    """Draws and worst-case tokens of what would run."""
    starts, found = starts_of(options)
    shown: dict[str, Json] = {"pack": f"{found.pack.id} {found.pack.version}", "tasks": len(found.pack.tasks)}
    for start in starts:
        plan = plan_of(start.envelope, found, start.where)
        cost = worst_case(plan, start.envelope.budget, start.envelope.run)
        shown[f"arm {start.arm.label}"] = (
            f"{len(plan.draws)} draws, at most {_text(cost.attempts)} attempts and {_text(cost.tokens)} tokens"
        )
        shown[f"order {start.arm.label}"] = plan.order_digest[:16]
    return shown


def _text(value: int | NotMeasured) -> str:
    return str(value) if isinstance(value, int) else value.not_measured


def execute(options: Options, reporter: Reporter) -> Outcome:
    """Seal and run every arm."""
    starts, found = starts_of(options)
    return run_starts(starts, found, options, reporter)


def run_starts(starts: Sequence[Start], found: FoundPack, options: Options, reporter: Reporter) -> Outcome:
    """Run arms that were read or made."""
    terms = starts[0].envelope.sandbox
    hidden = (Path(found.root), options.runs_dir)
    with (
        stop_on_signals() as stop,
        a_world(terms, reporter, unsandboxed=options.unsandboxed, hidden=hidden) as world,
    ):
        runs, baseline = start_runs(
            world,
            starts,
            found,
            options.places,
            unsandboxed=options.unsandboxed,
            stop=stop,
            keep=options.keep,
        )
        expect(reporter, runs)
        done, results = carry_on(world, runs, baseline, stop, options.only)
        return done, runs, results


def resume_run(name: str, options: Options, reporter: Reporter) -> Outcome:
    """Go on with one run from what its journal says."""
    folder = find_run(name, options.runs_dir)
    seal = read_seal(folder.seal)
    with stop_on_signals() as stop:
        hidden = (options.runs_dir,)
        with a_world(seal.envelope.sandbox, reporter, unsandboxed=seal.unsandboxed, hidden=hidden) as world:
            run = replace(ready(world, folder), keep=options.keep)
            baseline = check_resumable(world, run, load_pack(run.pack_root))
            done, results = carry_on(world, [run], baseline, stop)
            return done, [run], results


def peek(name: str, runs_dir: Path) -> OpenRun:
    """Open a run for reading only."""
    from denominator.adapters.clock import SystemClock
    from denominator.adapters.failpoints import NoFailpoints

    return open_run(find_run(name, runs_dir), SystemClock(), NoFailpoints())


def expect(reporter: Reporter, runs: Sequence[OpenRun]) -> None:
    """Tell the reporter how many attempts are planned."""
    reporter.expect(sum(len(run.seal.plan.draws) + len(run.seal.plan.warmup) for run in runs))


def seal_only(options: Options, reporter: Reporter) -> list[OpenRun]:
    """Seal every arm and promise nothing yet."""
    starts, found = starts_of(options)
    with a_world(starts[0].envelope.sandbox, reporter, hidden=(Path(found.root), options.runs_dir)) as world:
        runs, _ = start_runs(world, starts, found, options.places)
        return runs
