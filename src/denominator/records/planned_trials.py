"""What the plan of a bench promised: the trials that have no row, and repeats that did not go alike."""

from __future__ import annotations

from denominator.records.durability import BenchSheet
from denominator.records.faults import NO_FAULT, BenchControl
from denominator.records.values import NotMeasured

OWED = (BenchControl.NEGATIVE, BenchControl.SILENT)
"""Controls with trials of their own, one a task."""


def missing_trials(sheet: BenchSheet) -> tuple[str, ...]:
    """Names of planned trials of a bench of ours without a row: every task, repeat and fault, the run without one, and the
    controls' own. A single-shot task owes the run without a fault only.
    """
    terms = sheet.terms
    if not terms.ours or isinstance(terms.tasks, NotMeasured) or isinstance(terms.faults, NotMeasured):
        return ()
    seen = {(one.task_id, one.repeat, one.fault) for one in sheet.trials if not one.control or one.fault == NO_FAULT}
    shown = {(one.task_id, one.control) for one in sheet.trials}
    missing = []
    for task in sorted(terms.tasks):
        alone = task in terms.single_shot
        for repeat in range(1, terms.repeats + 1):
            owed = [(task, repeat, fault) for fault in (NO_FAULT, *(() if alone else terms.faults))]
            missing += [f"{task}#{repeat} {one[2]}".rstrip() for one in owed if one not in seen]
        controls = () if alone else [name for name in OWED if name in terms.controls]
        missing += [f"{task}#1 {name} control" for name in controls if (task, name) not in shown]
    return tuple(missing)


def unlike_repeats(sheet: BenchSheet) -> tuple[str, ...]:
    """(task, fault) whose repeats died after different checkpoints."""
    found: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for one in sheet.trials:
        if one.fault != NO_FAULT and not one.control and one.fired and isinstance(one.checkpoints, tuple):
            found.setdefault((one.task_id, one.fault), set()).add(one.checkpoints)
    return tuple(f"{task} {fault}" for (task, fault), ends in sorted(found.items()) if len(ends) > 1)
