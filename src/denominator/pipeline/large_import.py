"""`import rows` of one long JSONL file: the same ledger, terms and card as of a short one, in bounded memory.

The documents beside the rows, and what the rows are, are found as ever, from the first lines of the file. Whatever a part of the
file could not show (companions for single tasks, shapes that look at all rows at once) goes the long way: then nothing is returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from denominator.errors import InputError
from denominator.importers import ColumnMap, Report
from denominator.importers.contents import content_digest
from denominator.judge import label_kind
from denominator.ledger.table import kind
from denominator.pipeline.foreign_file import rows_file
from denominator.pipeline.judging_file import Taken, judge_rows, without_cycles
from denominator.pipeline.large_intake import Asked, asked_of, check_runs, head_of, intake_of, rows_of
from denominator.pipeline.large_made import Made, made_of
from denominator.pipeline.large_parts import reading_parts
from denominator.pipeline.large_rows import LargeRows
from denominator.pipeline.large_single import UnusualError
from denominator.pipeline.large_whole import WholeForeign
from denominator.pipeline.results import Result
from denominator.records.foreign import ForeignRow

NO_CHOICE: Mapping[str, str] = {}
LARGE_BYTES = 8 << 20
"""A file of rows that is not longer is read as a whole."""


@dataclass(frozen=True, slots=True)
class Large:
    """A long file that was read: its rows in columns and again one by one, what they come to, and how it was read."""

    rows: LargeRows
    whole: WholeForeign
    made: Made
    report: Report


def import_large(
    files: Sequence[tuple[str, Path]],
    column_map: ColumnMap | None,
    out: Path | None,
    stated: Sequence[tuple[str, bytes]] = (),
    least: int = LARGE_BYTES,
    where: Mapping[str, str] = NO_CHOICE,
) -> tuple[Report, Result] | None:
    """Read and judge files of which one is a long file of rows; nothing where they have to be read as a whole."""
    large = read_large(files, column_map, stated, least, where)
    if large is None:
        return None
    with without_cycles():
        return large.report, _judged(large) if out is None else _kept(large, out)


def read_large(
    files: Sequence[tuple[str, Path]],
    column_map: ColumnMap | None = None,
    stated: Sequence[tuple[str, bytes]] = (),
    least: int = LARGE_BYTES,
    where: Mapping[str, str] = NO_CHOICE,
) -> Large | None:
    """The same, not yet judged. The file stays open as long as its rows are looked at."""
    asked = asked_of(files, column_map, where, stated, least)
    if asked is None:
        return None
    file = asked.path.open("rb")
    try:
        with without_cycles():
            return _read(asked, file)
    except (UnusualError, InputError) as error:
        file.close()
        if isinstance(error, InputError):
            raise
        return None


def _read(asked: Asked, file: BinaryIO) -> Large:
    asked.head = head_of(file)
    with reading_parts(file, asked) as parts:
        intake = intake_of(asked)
        rows = rows_of(asked, intake)
        parts.read(rows, passed=int(bool(intake.roles.rows[0].head)))
    rows.placed.all_there(rows.singles.kinds.rows)
    check_runs(asked, intake, rows)
    found = made_of(intake, rows, [(name, content_digest(name, data)) for name, data in asked.beside])
    notes = asked.column_map.notes if asked.column_map else ()
    places = rows.placed.table.offsets, rows.placed.lines
    whole = WholeForeign(file, asked.name, intake.run_id, rows.singles.reading, places)
    return Large(rows, whole, found, found.report(intake, rows, asked.where, notes))


def _judged(large: Large) -> Result:
    rows, terms = large.rows, large.made.terms
    kinds = [kind(row, label_kind(row, terms), terms) for row in rows.singles.kinds.rows]
    taken = Taken(rows.placed.table, kinds, (), large.whole)
    return judge_rows(taken, terms, large.made.promised, None, large.report.notes)


def _kept(large: Large, out: Path) -> Result:
    """Every row written down, and judged from there: `gate` and `card` read the same folder."""
    with rows_file(out) as file:
        for at in range(len(large.whole)):
            row, labels = large.whole.built(at)
            file.add(ForeignRow(row, tuple(labels), ""))
        return file.judge(large.made.declaration, large.made.terms, large.report.notes)
