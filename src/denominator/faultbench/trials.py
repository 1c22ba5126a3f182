"""Which trials a plan makes: the same plan and seed over the same tasks give the same list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from denominator.faultbench.plans import QUICK_TASKS
from denominator.records.faults import NO_FAULT, BenchControl, Fault, FaultKind, FaultPlan, Trial
from denominator.records.values import NotMeasured
from denominator.records.words import Checkpoint
from denominator.wire.canonical import sha256_bytes

NEGATIVE = Fault(at=Checkpoint.CONTEXT_LOADED, kind=FaultKind.KILL)
SILENT = Fault(at=Checkpoint.PATCH_APPLIED, kind=FaultKind.KILL)
FOR_A_CONTROL = NotMeasured("made for another control")
"""`second_resume_noop` of a trial of the negative or the silent control: the replay control is judged from the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One trial that is to be made. `control` names the control that it is for; such a trial is in no figure."""

    task_id: str
    repeat: int
    fault: Fault | None = None
    control: str = ""

    @property
    def name(self) -> tuple[str, int, str, str]:
        """What tells a trial from every other one of its bench."""
        return (self.task_id, self.repeat, self.fault.text if self.fault else NO_FAULT, self.control)


def name_of(trial: Trial) -> tuple[str, int, str, str]:
    """The name of the order that a written trial came from."""
    return (trial.task_id, trial.repeat, trial.fault, trial.control)


def choose(tasks: Sequence[str], plan: FaultPlan) -> tuple[str, ...]:
    """The tasks of a plan, in the order in which they are tried; `--quick` takes the first five of it."""
    shuffled = sorted(tasks, key=lambda task: sha256_bytes(f"{plan.seed} {task}".encode()))
    return tuple(shuffled[:QUICK_TASKS] if plan.quick else shuffled)


def orders(plan: FaultPlan, tasks: Iterable[str], controls: Iterable[str]) -> Iterator[Order]:
    """Every trial: of each task and repeat first the one without a fault, then one a fault; the controls' own last."""
    chosen = tuple(tasks)
    for task in chosen:
        for repeat in range(1, plan.repeats + 1):
            yield Order(task_id=task, repeat=repeat)
            for fault in plan.faults:
                yield Order(task_id=task, repeat=repeat, fault=fault)
    for control, fault in ((BenchControl.NEGATIVE, NEGATIVE), (BenchControl.SILENT, SILENT)):
        if control in controls:
            yield from (Order(task_id=task, repeat=1, fault=fault, control=str(control)) for task in chosen)
