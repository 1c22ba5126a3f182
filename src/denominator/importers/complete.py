"""Rows made whole: lines of one attempt grouped, companions added, what the shape needs named where it is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from denominator.importers import companions
from denominator.importers.attempts import Built, Reading, build
from denominator.importers.declared import size_defects
from denominator.importers.duplicates import drop_repeats, refuse_conflicts
from denominator.importers.grouped import calls_beside, group_calls, group_checkpoints
from denominator.importers.intake import DOCUMENTS, Intake
from denominator.importers.shapes.errors import SHAPE as ERRORS
from denominator.importers.stated import Stated
from denominator.records.rows import CallRow, Defect


def complete(built: Built, reading: Reading, intake: Intake) -> tuple[CallRow, ...]:
    """Group lines into attempts, refuse conflicts, add error rows and what was cut."""
    roles = intake.roles
    calls: tuple[CallRow, ...] = ()
    if intake.shape.name == "calls":
        calls = group_calls(built)
    elif intake.shape.name == "checkpoints":
        where, verdicts = roles.document("verdicts")
        group_checkpoints(built, verdicts, where)
    else:
        refuse_conflicts(built)
        calls = calls_beside(built)
    if roles.errors:
        raws, repeats = drop_repeats([row for one in roles.errors for row in one.rows])
        errors = build(raws, replace(reading, shape=ERRORS), built.run_id)
        errors.defects += repeats
        companions.add_errors(built, errors)
    where, document = roles.document("stop")
    if document:
        companions.add_stopped(built, where, document, intake.stated.never_started_allowed)
    return calls


def declare_tasks(stated: Stated, tasks: Mapping[str, object], where: str) -> None:
    """A task list declares its ids, unless the manifest lists them itself."""
    if tasks and stated.task_ids is None:
        stated.task_ids = tuple(tasks)
        stated.files.append(where)
    elif tasks and set(tasks) != set(stated.task_ids or ()):
        other = tuple(sorted(set(tasks) ^ set(stated.task_ids or ())))
        what = f"the task list and the manifest disagree about {', '.join(other[:20])}"
        stated.defects.append(Defect(kind="manifest_conflict", where=where, what=what, keys=other))


def missing_companions(intake: Intake) -> tuple[Defect, ...]:
    """Companions that the shape needs (a block) or wants (a note), by name."""
    shape = intake.shape
    return (*_missing(intake, shape.needs, True), *_missing(intake, shape.wants, False))


def _missing(intake: Intake, names: Iterable[str], blocks: bool) -> Iterable[Defect]:
    for companion in names:
        role = companion.split(" ", 1)[0]
        stands_in = role in ("manifest", "header") and any(intake.roles.of(one) for one in DOCUMENTS)
        if not intake.roles.of(role) and not stands_in:
            what = f"missing companion: {companion}"
            yield Defect(kind="missing_companion", where=intake.shape.name, what=what, blocks=blocks)


def defects_of(intake: Intake, built: Built) -> tuple[Defect, ...]:
    """Everything wrong with files, rows and documents. The audit adds what only the whole ledger shows."""
    roles, stated = intake.roles, intake.stated
    read = [defect for one in (*roles.rows, *roles.errors, *roles.tasks) for defect in one.defects]
    sizes = size_defects(stated, [row.key.task_id for row in built.rows])
    return (*read, *built.defects, *intake.repeats, *intake.foreign, *stated.defects, *sizes)
