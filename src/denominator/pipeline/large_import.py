"""`import rows` of one long JSONL file: the same ledger, terms and card as of a short one, in bounded memory.

The documents beside the rows, and what the rows are, are found as ever, from the first lines of the file. Whatever a part of the
file could not show (companions for single tasks, shapes that look at all rows at once) goes the long way: then nothing is returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from denominator.errors import InputError
from denominator.importers import ColumnMap, Report, companions, is_log
from denominator.importers.attempts import Reading
from denominator.importers.baselines import Baseline
from denominator.importers.cards import Cards
from denominator.importers.columnmap import readable
from denominator.importers.contents import content_digest
from denominator.importers.declared import stratum_of
from denominator.importers.intake import DOCUMENTS, Intake, take_in
from denominator.importers.logs import beside_of
from denominator.importers.provenance import PINS, left_open
from denominator.importers.raw import RawRow
from denominator.importers.shapes import SHAPES
from denominator.importers.terms import Observed, terms_of_observed
from denominator.judge import label_kind
from denominator.ledger.table import kind
from denominator.pipeline.foreign_file import rows_file
from denominator.pipeline.judging_file import Taken, judge_rows, without_cycles
from denominator.pipeline.large_columns import Plan
from denominator.pipeline.large_made import Made, made_of
from denominator.pipeline.large_rows import LargeRows
from denominator.pipeline.large_single import Singles, UnusualError
from denominator.pipeline.large_tasks import Tasks
from denominator.pipeline.large_whole import WholeForeign
from denominator.pipeline.results import Result
from denominator.pipeline.row_numbering import Kinds
from denominator.records.foreign import ForeignRow
from denominator.wire.bounded import read_bytes

LARGE_BYTES = 32 << 20
"""A file of rows that is not longer is read as a whole."""
HEAD_LINES = 200
HEAD_BYTES = 4 << 20
BESIDE_BYTES = 256 << 20
ENDINGS = (".jsonl", ".ndjson")
NEVER = frozenset(("gold", "latency_s", "http_status"))
"""Columns that are looked at over all rows."""


@dataclass(slots=True)
class Asked:
    """What was named: the long file, the other files as bytes, and the column map."""

    name: str
    path: Path
    beside: list[tuple[str, bytes]]
    column_map: ColumnMap | None


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
) -> tuple[Report, Result] | None:
    """Read and judge files of which one is a long file of rows; nothing where they have to be read as a whole."""
    large = read_large(files, column_map, stated, least)
    if large is None:
        return None
    with without_cycles():
        return large.report, _judged(large) if out is None else _kept(large, out)


def read_large(
    files: Sequence[tuple[str, Path]],
    column_map: ColumnMap | None = None,
    stated: Sequence[tuple[str, bytes]] = (),
    least: int = LARGE_BYTES,
) -> Large | None:
    """The same, not yet judged. The file stays open as long as its rows are looked at."""
    asked = _asked(files, column_map, stated, least)
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


def _asked(
    files: Sequence[tuple[str, Path]], column_map: ColumnMap | None, stated: Sequence[tuple[str, bytes]], least: int
) -> Asked | None:
    sizes = {name: path.stat().st_size for name, path in files if path.is_file()}
    large = [one for one in files if sizes.get(one[0], 0) >= least and one[0].lower().endswith(ENDINGS)]
    if len(large) != 1 or len(sizes) < len(files) or any(is_log(name) or "/" in name for name, _ in files):
        return None
    if sum(sizes.values()) - sizes[large[0][0]] > BESIDE_BYTES or (column_map and column_map.where):
        return None
    beside = [(name, read_bytes(path, BESIDE_BYTES)) for name, path in files if name != large[0][0]]
    return Asked(*large[0], [*beside, *stated], column_map)


def _read(asked: Asked, file: BinaryIO) -> Large:
    head = b"".join(islice(iter(lambda: file.readline(HEAD_BYTES), b""), HEAD_LINES))
    file.seek(0)
    intake = _intake(asked, head)
    rows = _rows(asked, intake, _reading(intake, asked.column_map))
    rows.read(file, passed=int(bool(intake.roles.rows[0].head)))
    rows.distinct()
    _check_runs(asked, intake, rows)
    found = made_of(intake, rows, [(name, content_digest(name, data)) for name, data in asked.beside])
    notes = asked.column_map.notes if asked.column_map else ()
    return Large(
        rows,
        WholeForeign(file, asked.name, intake.run_id, rows.singles.reading, (rows.table.offsets, rows.lines)),
        found,
        found.report(intake, rows, notes),
    )


def _intake(asked: Asked, head: bytes) -> Intake:
    """What the files are, by the first lines. UnusualError: something that a part cannot show."""
    files = [(asked.name, head), *asked.beside]
    beside, rest = beside_of(files, ())
    try:
        intake = take_in(rest, asked.column_map, {}, beside)
    except InputError as error:
        raise UnusualError(error.what) from None
    roles, shape = intake.roles, intake.shape
    plain = shape.prepare is None or (asked.column_map and not asked.column_map.meaning and not asked.column_map.trial)
    odd = (
        [one.name for one in roles.rows] != [asked.name]
        or roles.errors or roles.tasks or roles.baseline or roles.documents.keys() - {"manifest", "header", "head"}
        or any(use.role in ("patch", "checksums") for use in roles.uses)
        or not plain or shape.grouped or shape.needs or shape.test or shape.name in ("tasks", "errors")
        or intake.stated.verify_shas or intake.stated.contract or intake.repeats or intake.foreign or beside.reports
        or roles.rows[0].defects or roles.rows[0].torn or intake.notes
    )  # fmt: skip
    if odd:
        raise UnusualError("not one plain file of rows")
    return intake


def _reading(intake: Intake, column_map: ColumnMap | None) -> Reading:
    places = companions.places(intake.stated, {})
    only = readable(column_map) if column_map else None
    return Reading(intake.shape, intake.stated, places, Cards({}, *companions.cards_of([])), only)


def _rows(asked: Asked, intake: Intake, reading: Reading) -> LargeRows:
    stated, column_map = intake.stated, asked.column_map
    told = {intake.shape.judges} if column_map else set()
    documents = [one.document for role in DOCUMENTS for one in intake.roles.of(role)]
    pinned = frozenset(name for field in left_open(documents) for name in PINS[field])
    examples = {tuple(row.value): row for row in intake.roles.rows[0].rows}
    shapes = _fitting(examples.values())
    retries = stated.attempts is not None or stated.retry_policy is not None
    trials = not column_map and not retries and (intake.shape.trials or (stated.repeats or 1) > 1)

    def special(task: str) -> str:
        return f"task {task}" if task in reading.places else stratum_of(task, stated.strata)[0]

    def fits(plan: Plan, keys: tuple[str, ...]) -> None:
        held = frozenset(keys)
        examples.setdefault(keys, RawRow(asked.name, 0, "", dict.fromkeys(keys)))
        more = not column_map and ("status" in held or _fitting(examples.values()) != shapes)
        if more or held & pinned or plan.names & NEVER or "facts" in held or (trials and "attempt" in held):
            raise UnusualError("columns that are looked at over all rows")

    terms = terms_of_observed(stated, intake.run_id, Observed(ids=False), {}, Baseline())
    singles = Singles(asked.name, intake.run_id, reading, Kinds(terms))
    tasks = Tasks(special if reading.places or stated.strata else None)
    return LargeRows(singles, frozenset(told - {""}), tasks, fits)


def _fitting(examples: Iterable[RawRow]) -> list[str]:
    """The shapes that rows with these keys have; of all tests of shapes only that of `status` looks at values."""
    rows = tuple(examples)
    return [shape.name for shape in SHAPES if shape.fits(rows)]


def _check_runs(asked: Asked, intake: Intake, rows: LargeRows) -> None:
    """One run, and the one that the first lines named."""
    if asked.column_map:
        return
    if len(rows.singles.runs | ({intake.stated.run_id} if intake.stated.run_id and rows.singles.runs else set())) > 1:
        raise UnusualError("several runs")
    if rows.singles.runs and intake.run_id not in rows.singles.runs and not intake.stated.run_id:
        raise UnusualError("a run that the first lines do not name")


def _judged(large: Large) -> Result:
    rows, terms = large.rows, large.made.terms
    kinds = [kind(row, label_kind(row, terms), terms) for row in rows.singles.kinds.rows]
    taken = Taken(rows.table, kinds, (), large.whole)
    return judge_rows(taken, terms, large.made.promised, None, large.report.notes)


def _kept(large: Large, out: Path) -> Result:
    """Every row written down, and judged from there: `gate` and `card` read the same folder."""
    with rows_file(out) as file:
        for at in range(len(large.whole)):
            row, labels = large.whole.built(at)
            file.add(ForeignRow(row, tuple(labels), ""))
        return file.judge(large.made.declaration, large.made.terms, large.report.notes)
