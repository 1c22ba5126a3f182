"""One process that runs: signals, the engine, cards at the end."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from denominator.errors import DenominatorError, Exit, OpenPromisesError
from denominator.pipeline.carrier import HERE, Carrier
from denominator.pipeline.engine import StopFlag
from denominator.pipeline.files import ReportPoints
from denominator.pipeline.notes import StoppedError
from denominator.pipeline.results import Result, judge_run, write_card
from denominator.pipeline.run import RunResult, run_all
from denominator.pipeline.world import OpenRun, World
from denominator.records.packs import Baseline
from denominator.wiring.journals import copy_home


@contextmanager
def stop_on_signals() -> Iterator[StopFlag]:
    """Ctrl-C stops cleanly with 130, SIGTERM with 4; a second signal of the same kind acts at once.

    Work that is whole or not at all (a baseline) says StoppedError: here it becomes one of the two endings.
    """
    flag = StopFlag()

    def asked(number: int, _frame: FrameType | None) -> None:
        why, code = ("interrupted", Exit.INTERRUPTED) if number == signal.SIGINT else ("sigterm", Exit.OPEN)
        flag.set(why, code)
        signal.signal(number, before[number])

    before = {int(number): signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, asked)
    try:
        yield flag
    except StoppedError:
        if flag.exit == Exit.INTERRUPTED:
            raise KeyboardInterrupt from None
        raise OpenPromisesError("told to stop; nothing was written", fix="run it again") from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def carry_on(
    world: World,
    runs: Sequence[OpenRun],
    baseline: Baseline,
    stop: StopFlag,
    only: frozenset[str] = frozenset(),
    carrier: Carrier = HERE,
) -> tuple[RunResult, list[Result]]:
    """Run to the end or to a stop; a card is written for every run without open promises."""
    try:
        done = run_all(world, runs, baseline, stop, only, carrier)
    finally:
        for run in runs:
            if run.relay is not None:
                run.relay.shutdown()
    results = [judge_run(run) for run in runs]
    for run, result in zip(runs, results, strict=True):
        if result.exit not in (Exit.OPEN, Exit.UNKNOWN_STATE):
            write_card(run.folder.card, result.card, ReportPoints(world.failpoints))
            done = brought_home(world, run, done)
    return done, results


def brought_home(world: World, run: OpenRun, done: RunResult) -> RunResult:
    """A finished run whose journal lies on a server gets a copy, so that its folder is whole; or it is said why not."""
    try:
        copy_home(run, world.clock, world.failpoints)
    except (OSError, DenominatorError) as error:
        what = f"{run.run_id}: not copied into its folder: {error}\n  next: denominator runs pull {run.run_id}"
        return replace(done, messages=(*done.messages, what))
    return done
