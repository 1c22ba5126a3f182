"""What the plan of a bench promised: the trials that have no row, and repeats that did not go alike."""

from __future__ import annotations

from denominator.records.durability import BenchSheet
from denominator.records.faults import NO_FAULT, Trial
from denominator.records.trials import name_of
from denominator.records.values import NotMeasured


def missing_trials(sheet: BenchSheet) -> tuple[str, ...]:
    """Names of planned trials of a bench of ours without a row: every task, repeat and fault, and the run
    without one; a single-shot task owes no faults."""
    terms = sheet.terms
    if not terms.ours or isinstance(terms.tasks, NotMeasured) or isinstance(terms.faults, NotMeasured):
        return ()
    seen = {(one.task_id, one.repeat, one.fault) for one in sheet.trials if not one.control or one.fault == NO_FAULT}
    return tuple(
        name_of(Trial(bench_id=terms.name, task_id=task, repeat=repeat, fault=fault)) or task
        for task in sorted(terms.tasks)
        for repeat in range(1, terms.repeats + 1)
        for fault in (NO_FAULT, *(() if task in terms.single_shot else terms.faults))
        if (task, repeat, fault) not in seen
    )


def unlike_repeats(sheet: BenchSheet) -> tuple[str, ...]:
    """(task, fault) whose repeats died after different checkpoints."""
    found: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for one in sheet.trials:
        if one.fault != NO_FAULT and not one.control and one.fired and isinstance(one.checkpoints, tuple):
            found.setdefault((one.task_id, one.fault), set()).add(one.checkpoints)
    return tuple(f"{task} {fault}" for (task, fault), ends in sorted(found.items()) if len(ends) > 1)
