"""What the tests of Harbor and of Terminal-Bench share beyond `foreign_data`: rows by draw, and everything that was told, in order."""

from __future__ import annotations

from pathlib import Path

import foreign_data
from denominator.importers.foreign import Importer
from denominator.records.foreign import ForeignRow, ForeignRun
from denominator.wire.sources import open_source
from foreign_data import ended, promised

__all__ = ["judged", "kinds", "promised", "read_all"]


def read_all(importer: Importer, path: Path, part: str = "") -> tuple[ForeignRun, dict[tuple[str, int], ForeignRow]]:
    """A run and its rows by (task, repeat), of which no two may be one."""
    run, rows = foreign_data.read_all(importer, open_source(path), part)
    found = {(one.row.key.task_id, one.row.key.repeat): one for one in rows}
    assert len(found) == len(rows), "two rows of one draw"
    return run, found


def judged(found: ForeignRow, on_timeout: object = "grade") -> tuple[str, str, str]:
    """Outcome, origin and reason under the policy for late work that the run's document states."""
    return ended(found, on_timeout=on_timeout)


def kinds(run: ForeignRun, *, blocks: bool | None = None) -> list[str]:
    """The kinds of what was told, in order."""
    return [one.kind for one in run.told.defects if blocks is None or one.blocks is blocks]
