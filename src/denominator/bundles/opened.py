"""Rows of a bundle opened one by one: their leaves with proofs, and what is wrong with those that somebody sent. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from denominator.bundles.merkle import merkle_proof, proved_root
from denominator.records.bundles import BundleHead, Fault
from denominator.records.events import Json
from denominator.records.regrades import OpenedRow, Opening
from denominator.wire.canonical import canonical

OPENED = "opened.json"
TASKS = "tasks"


def opening_of(
    head: BundleHead, rows: Sequence[Mapping[str, Json]], tasks: Sequence[Mapping[str, Json]], wanted: Sequence[int]
) -> Opening:
    """The wanted rows (places from 0) of a ledger and their tasks (sorted by id), as plain JSON with their proofs."""
    row_leaves, task_leaves = [canonical(one) for one in rows], [canonical(one) for one in tasks]
    places = {task_id(one): place for place, one in enumerate(tasks)}
    opened = []
    for index in wanted:
        place = places[row_task(rows[index])]
        opened.append(
            OpenedRow(
                index=index,
                row=rows[index],
                proof=merkle_proof(row_leaves, index),
                task_index=place,
                task=tasks[place],
                task_proof=merkle_proof(task_leaves, place),
            )
        )
    return Opening(
        run_id=head.run_id,
        rows_root=head.rows_root,
        rows=head.rows,
        tasks_root=head.tasks_root,
        tasks=head.tasks,
        opened=tuple(opened),
    )


def opening_faults(head: BundleHead, opening: Opening) -> Iterator[Fault]:
    """What an opening claims and the roots of the bundle do not give; no row of an opening with a fault is believed."""
    said = (opening.run_id, opening.rows_root, opening.rows, opening.tasks_root, opening.tasks)
    if said != (head.run_id, head.rows_root, head.rows, head.tasks_root, head.tasks):
        yield _fault("it opens another bundle: run, roots or counts are not those of bundle.json")
        return
    keys: dict[bytes, int] = {}
    places: set[int] = set()
    for one in opening.opened:
        if one.index in places:
            yield _fault(f"row {one.index} is opened twice")
        places.add(one.index)
        if what := _wrong(head, one):
            yield _fault(f"row {one.index} {what}")
            continue
        before = keys.setdefault(canonical(one.row["key"]), one.index)
        if before != one.index:
            yield _fault(f"rows {before} and {one.index} are one attempt, which no ledger lists twice")


def _wrong(head: BundleHead, one: OpenedRow) -> str:
    if not 0 <= one.index < head.rows:
        return f"is outside: the ledger has {head.rows} rows, 0 to {head.rows - 1}"
    if proved_root(canonical(one.row), one.index, head.rows, one.proof) != head.rows_root:
        return "is not under rows_root: it is not the row that was sealed into the bundle at this place"
    if proved_root(canonical(one.task), one.task_index, head.tasks, one.task_proof) != head.tasks_root:
        return "brings a task that is not under tasks_root"
    if not row_task(one.row) or row_task(one.row) != task_id(one.task):
        return "brings the task of another row"
    key = one.row.get("key")
    return "" if isinstance(key, dict) and key.get("run_id") == head.run_id else "is of another run"


def row_task(row: Mapping[str, Json]) -> str:
    """The task id of a ledger row."""
    key = row.get("key")
    return str(key.get("task_id", "")) if isinstance(key, dict) else ""


def task_id(task: Mapping[str, Json]) -> str:
    """The id of a sealed task."""
    inner = task.get("task")
    return str(inner.get("id", "")) if isinstance(inner, dict) else ""


def _fault(what: str) -> Fault:
    return Fault(kind="opened", where=OPENED, what=what)
