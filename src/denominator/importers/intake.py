"""Files -> what they are: which plays which part, what the documents state, which rows belong to the run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from denominator.errors import InputError
from denominator.importers.columnmap import ColumnMap, chosen, mapped_shape
from denominator.importers.duplicates import drop_repeats
from denominator.importers.files import Parsed, parse
from denominator.importers.logs import Beside, attach, unread, uses_of
from denominator.importers.manifest import read_documents
from denominator.importers.raw import RawRow
from denominator.importers.roles import Roles, assign, holds_rows, is_below, is_ignored, shape_of
from denominator.importers.runs import number_runs, one_arm, one_run
from denominator.importers.shapes import Shape
from denominator.importers.shapes.errors import SHAPE as ERRORS
from denominator.importers.shapes.tasks import SHAPE as TASKS
from denominator.importers.stated import Stated
from denominator.importers.trialfolders import trial_folders
from denominator.importers.trials import as_trials
from denominator.importers.values import scalar_text
from denominator.records.rows import Defect

DOCUMENTS = ("contract", "manifest", "header", "head")


@dataclass(frozen=True, slots=True)
class Intake:
    """The rows of one run before anyone reads their columns."""

    roles: Roles
    stated: Stated
    shape: Shape
    run_id: str
    raws: tuple[RawRow, ...]
    repeats: tuple[Defect, ...]
    foreign: tuple[Defect, ...]
    notes: tuple[str, ...]


def take_in(
    files: Sequence[tuple[str, bytes]], column_map: ColumnMap | None, where: Mapping[str, str], beside: Beside
) -> Intake:
    """Assign roles, read the documents, choose the rows of the one run and arm."""
    mapped = mapped_shape(column_map) if column_map else None
    trials = trial_folders(files)
    parsed, others = _parsed(trials.rest)
    roles = assign([*parsed, *trials.trials], others, mapped)
    stated = read_documents([(one.name, role, one.document) for role in DOCUMENTS for one in roles.of(role)])
    read = [row for one in roles.rows for row in one.rows]
    shape = _shape(roles, read, mapped)
    raws, repeats = drop_repeats(_chosen(read, where))
    raws = attach(raws, beside)
    roles.uses += uses_of(raws, beside)
    one_arm(raws)
    run_id, raws, foreign = _run(raws, stated, roles, column_map)
    raws, told = (raws, "") if column_map else as_trials(raws, stated, shape.trials)
    prepared = shape.prepare(raws, stated) if shape.prepare else raws
    notes = (*((told,) if told else ()), *trials.notes, *unread(raws))
    return Intake(roles, stated, shape, run_id, tuple(prepared), tuple(repeats), tuple(foreign), notes)


def _parsed(files: Sequence[tuple[str, bytes]]) -> tuple[list[Parsed], list[str]]:
    """The files taken apart, and the names of those that are not. Below a folder that holds rows nothing is rows."""
    parsed: list[Parsed] = []
    others: list[str] = []
    for below in (False, True):
        if below and any(holds_rows(one) for one in parsed):
            others += [name for name, _ in sorted(files) if is_below(name)]
            break
        for name, data in sorted(one for one in files if is_below(one[0]) == below):
            found = None if is_ignored(name) else parse(name, data)
            if found is None:
                others.append(name)
            else:
                parsed.append(found)
    return parsed, others


def _shape(roles: Roles, raws: Sequence[RawRow], mapped: Shape | None) -> Shape:
    if mapped is not None:
        return mapped
    if raws and (found := shape_of(raws)):
        return found
    if roles.rows:
        names = ", ".join(one.name for one in roles.rows)
        raise InputError("no line of the rows can be read", where=names, fix="the file is damaged: get it again")
    return ERRORS if roles.errors else TASKS


def _chosen(raws: list[RawRow], where: Mapping[str, str]) -> list[RawRow]:
    found = list(chosen(raws, where))
    if where and raws and not found:
        told = ", ".join(f"{key}={value!r}" for key, value in where.items())
        raise InputError(f"no row has {told}", where=raws[0].file, fix="; ".join(_seen(raws, key) for key in where))
    return found


def _seen(raws: Iterable[RawRow], key: str) -> str:
    return f"{key} holds {', '.join(sorted({scalar_text(row.value.get(key)) for row in raws})[:12])}"


def _run(
    raws: tuple[RawRow, ...], stated: Stated, roles: Roles, column_map: ColumnMap | None
) -> tuple[str, tuple[RawRow, ...], list[Defect]]:
    """The run id with the rows that belong to it. A column map names the run itself: its run ids may be trials."""
    if column_map:
        return column_map.run or column_map.name or "mapped", raws, []
    if len(roles.rows) > 1 and all(one.single for one in roles.rows):
        return stated.run_id or "runs", number_runs(raws), []
    if raws:
        return one_run(raws, stated.run_id)
    others = [row for group in (roles.errors, roles.tasks) for one in group for row in one.rows]
    return one_run(others, stated.run_id)[0], (), []
