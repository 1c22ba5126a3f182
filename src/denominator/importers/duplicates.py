"""Rows that were written twice: a byte-identical repeat is a note, a differing row under the same key blocks."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.importers.attempts import Built
from denominator.importers.raw import RawRow
from denominator.records.keys import AttemptKey
from denominator.records.rows import Defect
from denominator.wire.byvalue import by_value


def drop_repeats(rows: Sequence[RawRow]) -> tuple[tuple[RawRow, ...], list[Defect]]:
    """Rows without byte-identical repeats inside one file, and a note for each repeat."""
    seen: dict[tuple[str, str], RawRow] = {}
    notes = []
    for row in rows:
        first = seen.setdefault((row.file, row.sha256), row)
        if first is not row:
            what = f"byte-identical repeat of line {first.line}; it counts once"
            task = row.value.get("task_id", row.value.get("task"))
            keys = (task,) if isinstance(task, str) else ()
            notes.append(Defect(kind="duplicate_rows", where=row.where, what=what, keys=keys, blocks=False))
    return tuple(seen.values()), notes


def refuse_conflicts(built: Built) -> None:
    """Keep one row of every key; each other one that differs blocks and is named.

    The one that is kept is chosen by its content, so that the counts do not follow the order of the rows.
    """
    first: dict[AttemptKey, int] = {}
    chosen: dict[AttemptKey, int] = {}
    for place, row in enumerate(built.rows):
        best = chosen.setdefault(row.key, place)
        if best != place and by_value(built.cells[place].raw.value) < by_value(built.cells[best].raw.value):
            chosen[row.key] = place
        before = first.setdefault(row.key, place)
        if before == place:
            continue
        what = f"{row.key.task_id}: differs from {built.cells[before].raw.where} under the same key"
        built.refuse("conflicting_rows", built.cells[place].raw, what, row.key.task_id)
    kept = sorted(chosen.values())
    stays = set(kept)
    dropped = {built.cells[place].raw.where for place in range(len(built.rows)) if place not in stays}
    built.labels = [one for one in built.labels if not any(proof.ref in dropped for proof in one.evidence)]
    built.rows = [built.rows[place] for place in kept]
    built.cells = [built.cells[place] for place in kept]
