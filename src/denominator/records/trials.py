"""What metrics and gate rules of a bench read of its trials: groups that are made once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from denominator.errors import InputError
from denominator.records.durability import BenchSheet, BenchTerms
from denominator.records.faults import NO_FAULT, QUIET, Trial, fault_of
from denominator.records.values import NotMeasured


class BenchReading:
    """A bench as metrics read it. Trials made for a control are in no rate."""

    def __init__(self, sheet: BenchSheet) -> None:
        self.sheet = sheet

    @property
    def terms(self) -> BenchTerms:
        """What was planned."""
        return self.sheet.terms

    @cached_property
    def counted(self) -> tuple[Trial, ...]:
        """Trials that rates may be made of."""
        return tuple(one for one in self.sheet.trials if not one.control)

    @cached_property
    def plain(self) -> tuple[Trial, ...]:
        """The paired trials without a fault; in a foreign journal those that nothing interrupted."""
        return tuple(one for one in self.counted if is_plain(one, self.terms))

    @cached_property
    def durable(self) -> tuple[Trial, ...]:
        """Trials under a fault of tasks for which durability is defined."""
        alone = frozenset(self.terms.single_shot)
        if len(self.terms.checkpoints) < 2:
            return ()
        ours = self.terms.ours
        under = [one for one in self.counted if (one.fault != NO_FAULT if ours else not is_paired(one))]
        return tuple(one for one in under if one.task_id not in alone)

    @cached_property
    def faulted(self) -> tuple[Trial, ...]:
        """Of those, the ones whose kind of fault interrupts."""
        return tuple(one for one in self.durable if not is_quiet(one))

    @cached_property
    def quiet(self) -> tuple[Trial, ...]:
        """Of those, the ones whose kind of fault interrupts nothing: reported apart."""
        return tuple(one for one in self.durable if is_quiet(one) and one.fired)

    @cached_property
    def interrupted(self) -> tuple[Trial, ...]:
        """Trials that were really interrupted, as the bench says."""
        return tuple(one for one in self.faulted if one.interrupted is True)

    @cached_property
    def untold(self) -> tuple[str, ...]:
        """Tasks of which nobody says whether they were interrupted."""
        silent = {one.task_id for one in self.faulted if isinstance(one.interrupted, NotMeasured)}
        return tuple(sorted(silent.union(self.sheet.journal.unverdicted)))

    @cached_property
    def passing(self) -> frozenset[str]:
        """Tasks that pass without faults: every trial without one passed, and there is one at least."""
        return frozenset({one.task_id for one in self.plain} - {one.task_id for one in self.plain if not passed(one)})

    @cached_property
    def undefined(self) -> NotMeasured | None:
        """Why durability is undefined for every task, if it is."""
        many = len(self.terms.checkpoints)
        if many < 2:
            return NotMeasured(f"single-shot: the runner has {many} checkpoint(s), so there is nothing to resume")
        if self.counted and not self.durable and self.terms.single_shot:
            return NotMeasured("single-shot: no task has a state from which it could be resumed")
        return None


def is_plain(trial: Trial, terms: BenchTerms) -> bool:
    """Was it made without a fault?"""
    return trial.fault == NO_FAULT if terms.ours else trial.interrupted is False


def is_paired(trial: Trial) -> bool:
    """Of a foreign result: is it the run without faults, of which no journal is given?"""
    return trial.interrupted is False and isinstance(trial.checkpoints, NotMeasured)


def is_quiet(trial: Trial) -> bool:
    """Is its fault of a kind that interrupts nothing? Of a foreign text the word behind the colon counts."""
    try:
        return trial.fault != NO_FAULT and fault_of(trial.fault).quiet
    except InputError:
        return trial.fault.rpartition(":")[2].partition("@")[0] in QUIET


def passed(trial: Trial) -> bool:
    """Did it end in a correct pass, with no hand of a person in it? Where no pass is expected there is no correct one."""
    return trial.ended == "pass" and trial.expected == "pass" and not trial.manual_edit


def doubled(trial: Trial) -> bool | NotMeasured:
    """Was an effect performed twice on one workspace? Attempts on the same workspace count together; a reset makes another."""
    sums: dict[str, int] = {}
    unknown = False
    for one in trial.applied:
        unknown = unknown or isinstance(one.times, NotMeasured)
        sums[one.workspace] = sums.get(one.workspace, 0) + (one.times if isinstance(one.times, int) else 0)
    if any(total > 1 for total in sums.values()):
        return True
    return NotMeasured("effects were not counted") if unknown else False


def by_task(trials: Iterable[Trial]) -> dict[str, list[Trial]]:
    """Trials by task, tasks in order."""
    found: dict[str, list[Trial]] = {}
    for one in trials:
        found.setdefault(one.task_id, []).append(one)
    return dict(sorted(found.items()))


def name_of(trial: Trial) -> str:
    """`task#repeat fault`, as a finding names a trial."""
    return f"{trial.task_id}#{trial.repeat}" + (
        f" {trial.fault}" if trial.fault not in (NO_FAULT, "not stated") else ""
    )


def names_of(trials: Sequence[Trial]) -> tuple[str, ...]:
    """Their names, each once, in order."""
    return tuple(sorted({name_of(one) for one in trials}))
