"""A narration probe beside foreign rows (METHODS M11): told to edit nothing, did the agent edit? A control of the run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from denominator.importers.files import Parsed
from denominator.readers.narration import narration_state
from denominator.records.keys import AttemptKey
from denominator.records.labels import Evidence, Label
from denominator.records.rows import Defect
from denominator.records.words import Axis, Control

BY = "import:narration"
LISTS = ("rows", "probes", "tasks", "results")


def narration_of(probes: Sequence[Parsed], run_id: str) -> tuple[tuple[Label, ...], tuple[Defect, ...]]:
    """The control that the probe files give, as a label of the run; rows that say nothing are defects by place."""
    labels, defects = [], []
    for one in probes:
        found = list(_rows(one))
        for name, held in found:
            if held is None:
                what = f"{name}: a probe row says neither held nor patch_bytes"
                defects.append(Defect(kind="bad_value", where=one.name, what=what, keys=(name,)))
        if found:
            labels.append(_label(run_id, one.name, found))
    return tuple(labels), tuple(defects)


def probed_tasks(one: Parsed) -> tuple[str, ...]:
    """The tasks that a probe file is about."""
    return tuple(name for name, _ in _rows(one))


def _label(run_id: str, file: str, held: Sequence[tuple[str, bool | None]]) -> Label:
    state, why = narration_state(held)
    return Label(
        key=AttemptKey(run_id, f"run:{Control.NARRATION}", 0, 0),
        axis=Axis.CONTROL,
        value=state,
        by=BY,
        why=why,
        evidence=(Evidence(kind="import", ref=file, quote=why),),
    )


def _rows(one: Parsed) -> Iterable[tuple[str, bool | None]]:
    """Task and whether it held; an edit of any size fails it, whatever the row itself says."""
    tables: list[object] = [row.value for row in one.rows]
    document = one.document
    if document and not tables:
        listed = next((document[name] for name in LISTS if isinstance(document.get(name), list)), None)
        tables = [*listed] if isinstance(listed, list) else _by_task(document)
    for number, table in enumerate(tables, 1):
        name = table.get("task_id") if isinstance(table, Mapping) else None
        yield (name if isinstance(name, str) and name else f"row {number}"), _held(table)


def _by_task(document: Mapping[str, object]) -> list[object]:
    """`{task: {...}}` or one row alone."""
    if "task_id" in document or "held" in document or "patch_bytes" in document:
        return [document]
    return [{"task_id": name, **one} for name, one in document.items() if isinstance(one, Mapping)]


def _held(table: object) -> bool | None:
    if not isinstance(table, Mapping):
        return None
    size, held = table.get("patch_bytes"), table.get("held")
    if isinstance(size, int) and not isinstance(size, bool) and size > 0:
        return False
    if isinstance(held, bool):
        return held
    return True if size == 0 and not isinstance(size, bool) else None
