"""`import rows`: foreign rows and their companions as a ledger, with what their manifest declares. START HERE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from denominator.errors import InputError
from denominator.importers import companions
from denominator.importers.attempts import Built, Reading, build
from denominator.importers.columnmap import ColumnMap, chosen, mapped_shape, readable, with_where
from denominator.importers.declared import declare, size_defects
from denominator.importers.duplicates import drop_repeats, refuse_conflicts
from denominator.importers.files import Parsed, parse
from denominator.importers.grouped import group_calls, group_checkpoints
from denominator.importers.manifest import Stated, read_documents
from denominator.importers.raw import RawRow
from denominator.importers.report import Imported, Report
from denominator.importers.roles import Roles, assign, is_ignored, shape_of
from denominator.importers.runs import number_runs, one_arm, one_run
from denominator.importers.shapes import Shape
from denominator.importers.shapes.errors import SHAPE as ERRORS
from denominator.importers.shapes.tasks import SHAPE as TASKS
from denominator.importers.terms import terms_of
from denominator.importers.values import scalar_text
from denominator.records.rows import CallRow, Defect, Ledger
from denominator.records.values import NotMeasured

DOCUMENTS = ("contract", "manifest", "header", "head")


def import_rows(
    files: Sequence[tuple[str, bytes]],
    column_map: ColumnMap | None = None,
    where: Mapping[str, str] | None = None,
) -> Imported:
    """Read foreign result files (name, bytes) as one run.

    `where` keeps only rows whose columns hold these values (an arm, a model). What is ambiguous or unknown is an
    `InputError`; what is wrong inside a known shape is a defect of the ledger, with line and key, and blocks.
    """
    column_map = with_where(column_map, where or {}) if column_map else None
    mapped = mapped_shape(column_map) if column_map else None
    roles = assign(*_parsed(files), mapped)
    stated = read_documents(_documents(roles))
    read = [row for one in roles.rows for row in one.rows]
    shape = _shape(roles, read, mapped)
    raws, repeats = drop_repeats(_chosen(read, column_map.where if column_map else where or {}))
    one_arm(raws)
    run_id, raws, foreign = _run(raws, stated, roles, column_map)
    tasks = companions.read_tasks([row for one in roles.tasks for row in one.rows], stated)
    reading = Reading(
        shape, stated, companions.places(stated, tasks), tasks, readable(column_map) if column_map else None
    )
    built = build(shape.prepare(raws, stated.seeds) if shape.prepare else raws, reading, run_id)
    calls = _complete(built, reading, roles)
    missing = _missing(roles, shape)
    _declare_tasks(stated, tasks, roles)
    defects = _defects(roles, stated, built, [*repeats, *foreign, *missing])
    declared, declared_n = declare(stated, reading.places)
    ledger = Ledger(
        run_id=run_id,
        source="import",
        declared=declared,
        declared_n=declared_n,
        rows=tuple(sorted(built.rows, key=lambda row: row.key)),
        calls=calls,
        labels=tuple(built.labels),
        defects=defects,
        shape=f"rows/{shape.name}",
    )
    flaky, green = companions.baseline_results(row for one in roles.baseline for row in one.rows)
    ignored = {use.name for use in roles.uses if use.role == "ignored"}
    terms = terms_of(stated, ledger, [one for one in files if one[0] not in ignored], flaky, green)
    notes = _notes(ledger, column_map, where or {})
    report = _report(roles, shape, stated, missing, len(repeats), tuple(tasks), notes)
    return Imported(ledger=ledger, terms=terms, report=report)


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
    return one_run(_any_rows(roles), stated.run_id)[0], (), []


def _parsed(files: Sequence[tuple[str, bytes]]) -> tuple[list[Parsed], list[str]]:
    parsed, others = [], []
    for name, data in sorted(files):
        one = None if is_ignored(name) else parse(name, data)
        if one is None:
            others.append(name)
        else:
            parsed.append(one)
    return parsed, others


def _documents(roles: Roles) -> list[tuple[str, str, Mapping[str, object]]]:
    return [(one.name, role, one.document) for role in DOCUMENTS for one in roles.documents.get(role, [])]


def _any_rows(roles: Roles) -> list[RawRow]:
    return [row for group in (roles.errors, roles.tasks) for one in group for row in one.rows]


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
        seen = "; ".join(
            f"{key} holds {', '.join(sorted({scalar_text(row.value.get(key)) for row in raws})[:12])}" for key in where
        )
        raise InputError(f"no row has {told}", where=raws[0].file, fix=seen)
    return found


def _complete(built: Built, reading: Reading, roles: Roles) -> tuple[CallRow, ...]:
    """Group lines into attempts, refuse conflicts, add error rows and what was cut."""
    calls: tuple[CallRow, ...] = ()
    if reading.shape.name == "calls":
        calls = group_calls(built)
    elif reading.shape.name == "checkpoints":
        where, verdicts = roles.document("verdicts")
        group_checkpoints(built, verdicts, where)
    else:
        refuse_conflicts(built)
    if roles.errors:
        raws, repeats = drop_repeats([row for one in roles.errors for row in one.rows])
        errors = build(raws, replace(reading, shape=ERRORS), built.run_id)
        errors.defects += repeats
        companions.add_errors(built, errors)
    where, document = roles.document("stop")
    if document:
        companions.add_stopped(built, where, document, reading.stated.never_started_allowed)
    return calls


def _declare_tasks(stated: Stated, tasks: Mapping[str, object], roles: Roles) -> None:
    """A task list declares its ids, unless the manifest lists them itself."""
    if tasks and stated.task_ids is None:
        stated.task_ids = tuple(tasks)
        stated.files.append(roles.tasks[0].name)
    elif tasks and set(tasks) != set(stated.task_ids or ()):
        other = tuple(sorted(set(tasks) ^ set(stated.task_ids or ())))
        what = f"the task list and the manifest disagree about {', '.join(other[:20])}"
        where = roles.tasks[0].name
        stated.defects.append(Defect(kind="manifest_conflict", where=where, what=what, keys=other))


def _missing(roles: Roles, shape: Shape) -> list[Defect]:
    """Companions that the shape needs (a block) or wants (a note), by name."""
    found = []
    for names, blocks in ((shape.needs, True), (shape.wants, False)):
        for companion in names:
            role = companion.split(" ", 1)[0]
            there = roles.has(role) or (role in ("manifest", "header") and any(roles.has(one) for one in DOCUMENTS))
            if not there:
                what = f"missing companion: {companion}"
                found.append(Defect(kind="missing_companion", where=shape.name, what=what, blocks=blocks))
    return found


def _defects(roles: Roles, stated: Stated, built: Built, more: Sequence[Defect]) -> tuple[Defect, ...]:
    files = [*roles.rows, *roles.errors, *roles.tasks]
    read = [defect for one in files for defect in one.defects]
    seen = [row.key.task_id for row in built.rows]
    sizes = size_defects(stated, seen)
    return (*read, *built.defects, *more, *stated.defects, *sizes)


def _notes(ledger: Ledger, column_map: ColumnMap | None, where: Mapping[str, str]) -> tuple[str, ...]:
    told = {**(column_map.where if column_map else {}), **where}
    notes = [f"only rows with {key} = {value}" for key, value in told.items()]
    if isinstance(ledger.declared_n, NotMeasured):
        notes.append(f"declared: {ledger.declared_n}")
    elif isinstance(ledger.declared, NotMeasured):
        notes.append(f"declared: {ledger.declared_n} draws; {ledger.declared}")
    return (*notes, *(column_map.notes if column_map else ()))


def _report(
    roles: Roles,
    shape: Shape,
    stated: Stated,
    missing: Sequence[Defect],
    repeats: int,
    tasks: tuple[str, ...],
    notes: tuple[str, ...],
) -> Report:
    files = [*roles.rows, *roles.errors, *roles.tasks]
    return Report(
        shape=shape.name,
        method=shape.method,
        why=f"rows hold {', '.join(sorted(shape.signs))}",
        files=tuple(roles.uses),
        missing=tuple(one.what.removeprefix("missing companion: ") for one in missing),
        deduplicated=repeats,
        physical_lines=sum(one.physical_lines for one in roles.rows),
        torn=tuple(torn for one in files for torn in one.torn),
        repairable=tuple(repair for one in files for repair in one.repairs),
        safe_names=companions.safe_names(tasks or stated.task_ids or ()),
        notes=notes,
    )
