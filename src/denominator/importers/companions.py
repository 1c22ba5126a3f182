"""Files beside the rows: task lists, stop notes, error rows, verdicts of a journal, agent-off baselines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from denominator.importers.attempts import Built, own_place
from denominator.importers.columns import Cells, read_cells
from denominator.importers.declared import Place, control_of
from denominator.importers.files import Parsed, folder_of
from denominator.importers.judgements import BY
from denominator.importers.raw import RawRow, digest_of, json_text
from denominator.importers.shapes.tasks import SHAPE as TASKS
from denominator.importers.stated import Stated
from denominator.records.keys import AttemptKey
from denominator.records.labels import Evidence, Label
from denominator.records.rows import AttemptRow, Defect, Source
from denominator.records.words import Axis, Outcome, Reason
from denominator.wire.names import id_problem, plain_safe_names, safe_name


def read_tasks(raws: Iterable[RawRow], stated: Stated) -> dict[str, Cells]:
    """The task list by id. Ids that leave their folder are refused; unreadable cards block."""
    found: dict[str, Cells] = {}
    for raw in raws:
        cells = read_cells(raw, TASKS.renames)
        task_id = cells.text("task_id")
        if not task_id or (why := id_problem(task_id)):
            what = f"task id {task_id!r} {why}" if task_id else "no readable task id"
            keys = (task_id,) if task_id else ()
            stated.defects.append(Defect(kind="refused_id", where=raw.where, what=what, keys=keys))
        elif task_id in found:
            stated.defects.append(
                Defect(kind="declared_twice", where=raw.where, what=f"{task_id} again", keys=(task_id,))
            )
        else:
            found[task_id] = cells
            stated.defects += [
                Defect(kind="bad_value", where=raw.where, what=problem, keys=(task_id,)) for problem in cells.problems
            ]
    return found


def cards_of(found: Sequence[Parsed]) -> tuple[Cells | None, dict[str, Cells]]:
    """Cards in documents of their own: one for every row of the result, or one for the rows of each folder."""
    read = {
        folder_of(one.name): read_cells(RawRow(one.name, 1, digest_of(one.document), one.document), TASKS.renames)
        for one in found
    }
    return (next(iter(read.values())), {}) if len(read) == 1 else (None, read)


def places(stated: Stated, tasks: Mapping[str, Cells]) -> dict[str, Place]:
    """Slice and control of the tasks that a card or the manifest's control list describes."""
    found = {task_id: own_place(cells) for task_id, cells in tasks.items()}
    for one in stated.controls or ():
        place = control_of(one)
        if place is None:
            stated.say(stated.files[0], f"controls.{one.task_id}", f"expects {one.expected!r}, which is no ending")
        else:
            found[one.task_id] = place
    return found


def is_safe(task_id: str) -> bool:
    """May this id name a folder at all?"""
    return id_problem(task_id) is None


def safe_names(ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The ids that may name a folder and whose folder name differs from them, with that name."""
    names = plain_safe_names(ids)
    if names is None:
        ids = [one for one in ids if is_safe(one)]
        names = list(map(safe_name, ids))
    return tuple((one, safe) for one, safe in zip(ids, names, strict=True) if safe != one)


def add_stopped(built: Built, where: str, document: Mapping[str, object], allowed: tuple[str, ...]) -> None:
    """`stop.json`: what the batch was doing when it was cut. A task without a final row is never finished: a block,
    unless the manifest allowed it beforehand to stay away."""
    during = document.get("during")
    names = [name for name in (during if isinstance(during, list) else [during]) if isinstance(name, str)]
    have = {row.key.task_id for row in built.rows}
    open_ids = tuple(name for name in names if name not in have and id_problem(name) is None)
    why = json_text(document.get("reason"))
    for name in open_ids:
        key = AttemptKey(built.run_id, name)
        note = f"cut while it ran, reason {why} ({where})"
        source = Source(kind="import", file=where)
        started = name not in allowed
        built.rows.append(AttemptRow(key=key, slice="solvable", source=source, started=started, notes=(note,)))
    if open_ids:
        what = f"the batch was cut ({why}) during {', '.join(open_ids)}: never finished"
        blocks = not set(open_ids) <= set(allowed)
        built.defects.append(Defect(kind="never_finished", where=where, what=what, keys=open_ids, blocks=blocks))


def add_errors(built: Built, errors: Built) -> None:
    """Error rows of a companion file: an id with a final row beats them; repeats of one error are one exit."""
    final = {row.key.draw: place for place, row in enumerate(built.rows)}
    grouped: dict[object, list[int]] = {}
    for place, row in enumerate(errors.rows):
        grouped.setdefault(row.key.draw, []).append(place)
    for draw, places_ in grouped.items():
        wheres = ", ".join(errors.cells[place].raw.where for place in places_)
        if draw in final:
            row = built.rows[final[draw]]
            note = f"error rows before the final one: {wheres}"
            built.rows[final[draw]] = replace(row, notes=(*row.notes, note))
            kind, keys = "error_rows_superseded", (row.key.task_id,)
            built.defects.append(Defect(kind=kind, where=wheres, what=note, keys=keys, blocks=False))
            continue
        first = errors.rows[places_[0]]
        key = replace(first.key, attempt=1)
        notes = (f"only error rows: {wheres}",)
        built.rows.append(replace(first, key=key, notes=notes))
        built.cells.append(errors.cells[places_[0]])
        built.labels += _unscoreable(key, errors.cells[places_[0]])
    built.defects += errors.defects


def _unscoreable(key: AttemptKey, cells: Cells) -> list[Label]:
    quote = f"error={cells.extra.get('error', 'null')}"
    evidence = (Evidence(kind="import", ref=cells.raw.where, quote=quote),)
    said = ((Axis.OUTCOME, Outcome.UNSCOREABLE), (Axis.REASON, Reason.NO_VERDICT))
    return [
        Label(key=key, axis=axis, value=value, by=BY, confidence="low", evidence=evidence, why="only error rows exist")
        for axis, value in said
    ]
