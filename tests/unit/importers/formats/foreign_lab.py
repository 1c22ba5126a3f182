"""What tests of importers share: a run that is read whole, and the labels of its rows under the terms that its document states."""

from __future__ import annotations

from pathlib import Path

from denominator.importers.foreign import Importer
from denominator.labels import imported_of, label_row
from denominator.records.foreign import Ending, ForeignRow
from denominator.wire.sources import open_source
from judging_data import terms


def read_all(importer: Importer, path: Path, part: str = ""):
    """(run, its rows by task and repeat)."""
    run = importer.read(open_source(path), part)
    rows = list(run.rows)
    found = {(one.row.key.task_id, one.row.key.repeat): one for one in rows}
    assert len(found) == len(rows), "two rows of one draw"
    return run, found


def labels_of(found: ForeignRow, on_timeout: str) -> dict[str, str]:
    """Outcome, origin, reason and class of a row, as our own rules give them."""
    imported = imported_of(found.labels).get(found.row.key, {})
    labels = label_row(found.row, terms(origin="manifest", on_timeout=on_timeout), imported)
    return {one.axis: one.value for one in labels if one.axis in ("outcome", "origin", "reason", "failure_class")}


def promised(ending: Ending) -> tuple[str, str, str]:
    """What a line of a table promises."""
    return ending.outcome, ending.origin, ending.reason


def judged(found: ForeignRow, on_timeout: str = "grade") -> tuple[str, str, str]:
    """The same of a row."""
    said = labels_of(found, on_timeout)
    return said.get("outcome", ""), said.get("origin", ""), said.get("reason", "")


def kinds(run, *, blocks: bool | None = None) -> list[str]:
    """The kinds of what was told, in order."""
    return [one.kind for one in run.told.defects if blocks is None or one.blocks is blocks]
