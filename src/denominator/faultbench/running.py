"""The bench itself: skip what cannot be made here, make one trial after the other, keep each as soon as it is made."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

from denominator.errors import InputError, OpenPromisesError, Problem
from denominator.faultbench.faults import BY_NAME
from denominator.faultbench.files import BenchFolder
from denominator.faultbench.kinds import Setting
from denominator.faultbench.stopping import BenchStoppedError
from denominator.faultbench.trials import Order
from denominator.ports import Stop
from denominator.records.faults import Bench, Fault, FaultPlan, Trial


class Subject(Protocol):
    """Whatever is benched."""

    def trial(self, bench_id: str, order: Order, stop: Stop) -> Trial:
        """Make one trial; raises BenchStoppedError when told to stop."""

    def close(self) -> None:
        """Give back what it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A fault of the plan that cannot be made on this machine, and why."""

    fault: Fault
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchEnd:
    """How a bench ended: trials in all, made now, and whether it was told to stop."""

    planned: int
    made: int
    stopped: bool = False


def skips(plan: FaultPlan, setting: Setting) -> tuple[Skipped, ...]:
    """Kinds that cannot be made here; failpoints can be made wherever our own runner runs."""
    found = []
    for fault in plan.faults:
        kind = BY_NAME.get(fault.kind) if fault.at_checkpoint else None
        why = kind.why_not(setting, fault) if kind is not None else ""
        found += [Skipped(fault=fault, why=why)] if why else []
    return tuple(found)


def refuse_wrong(plan: FaultPlan, problem: Callable[[Fault], str]) -> None:
    """Every fault of a plan that the subject does not know, in one error."""
    wrong = [Problem(fault.text, why) for fault in plan.faults if (why := problem(fault))]
    if wrong:
        raise InputError("the fault plan cannot be used", problems=wrong, fix="denominator faultbench list")


def carry_out(
    folder: BenchFolder,
    bench: Bench,
    orders: Sequence[Order],
    make: Callable[[], Subject],
    stop: Stop,
    say: Callable[[str], None],
) -> BenchEnd:
    """Make the trials that are not there yet. What is made is kept whatever happens to the bench afterwards."""
    left = folder.left(list(orders))
    if len(left) < len(orders):
        say(f"{len(orders) - len(left)} of {len(orders)} trials are there and stay as they are")
    shutil.rmtree(folder.scratch, ignore_errors=True)
    made = 0
    try:
        if left:
            folder.scratch.mkdir()
            with closing(make()) as subject:
                for order in left:
                    if stop.is_set():
                        raise BenchStoppedError
                    trial = subject.trial(bench.bench_id, order, stop)
                    folder.add(trial)
                    made += 1
                    say(told(trial, len(orders) - len(left) + made, len(orders)))
    except BenchStoppedError:
        return BenchEnd(planned=len(orders), made=made, stopped=True)
    except OSError as error:
        kept = len(orders) - len(left) + made
        raise OpenPromisesError(
            f"the bench cannot go on: {error.strerror or error}; {kept} of {len(orders)} trials are kept",
            where=str(error.filename or folder.root),
            fix="make room or see what the system says, then give the same command again: it goes on",
        ) from error
    finally:
        shutil.rmtree(folder.scratch, ignore_errors=True)
    return BenchEnd(planned=len(orders), made=made)


def told(trial: Trial, number: int, of: int) -> str:
    """One trial in a line, for people who wait."""
    what = trial.fault or "no fault"
    control = f" ({trial.control} control)" if trial.control else ""
    hit = (
        "interrupted"
        if trial.interrupted is True
        else "reached"
        if trial.fired
        else "not reached"
        if trial.fault
        else ""
    )
    times = ", ".join(f"{one.times}x" for one in trial.applied) or "none applied"
    noted = f"; {trial.note.splitlines()[0]}" if trial.note else ""
    parts = [f"{number}/{of}", f"{trial.task_id} r{trial.repeat}", f"{what}{control}", hit, str(trial.ended), times]
    return "  ".join(part for part in parts if part) + noted
