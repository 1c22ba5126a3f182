"""A long file of rows and what was named beside it: what they are, as the first lines say, and how its rows are read.

Whatever a part of the file could not show (companions for single tasks, shapes that look at all rows at once) goes the long way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from denominator.errors import InputError
from denominator.importers import ColumnMap, companions, is_log
from denominator.importers.attempts import Reading
from denominator.importers.baselines import Baseline
from denominator.importers.cards import Cards
from denominator.importers.columnmap import readable, with_where
from denominator.importers.declared import stratum_of
from denominator.importers.intake import DOCUMENTS, Intake, take_in
from denominator.importers.logs import beside_of
from denominator.importers.provenance import PINS, left_open
from denominator.importers.raw import RawRow
from denominator.importers.shapes import SHAPES
from denominator.importers.terms import Observed, terms_of_observed
from denominator.pipeline.large_by_value import ByValue
from denominator.pipeline.large_columns import Plan
from denominator.pipeline.large_placed import Placed
from denominator.pipeline.large_rows import LargeRows
from denominator.pipeline.large_single import Singles, UnusualError
from denominator.pipeline.large_tasks import Tasks
from denominator.pipeline.row_numbering import Kinds
from denominator.wire.bounded import read_bytes

HEAD_LINES = 200
HEAD_BYTES = 4 << 20
BESIDE_BYTES = 256 << 20
ENDINGS = (".jsonl", ".ndjson")
NEVER = frozenset(("gold", "latency_s", "http_status"))
"""Columns that are looked at over all rows."""


@dataclass(slots=True)
class Asked:
    """What was named: the long file, with its first lines, the other files as bytes, the column map, and which rows are
    looked at."""

    name: str
    path: Path
    beside: list[tuple[str, bytes]]
    column_map: ColumnMap | None
    where: Mapping[str, str] = field(default_factory=dict)
    head: bytes = b""


def asked_of(
    files: Sequence[tuple[str, Path]],
    column_map: ColumnMap | None,
    where: Mapping[str, str],
    stated: Sequence[tuple[str, bytes]],
    least: int,
) -> Asked | None:
    """What was named, where it is one long file of rows and what may stand beside it."""
    sizes = {name: path.stat().st_size for name, path in files if path.is_file()}
    large = [one for one in files if sizes.get(one[0], 0) >= least and one[0].lower().endswith(ENDINGS)]
    if len(large) != 1 or len(sizes) < len(files) or any(is_log(name) or "/" in name for name, _ in files):
        return None
    if sum(sizes.values()) - sizes[large[0][0]] > BESIDE_BYTES:
        return None
    column_map = with_where(column_map, where) if column_map else None
    beside = [(name, read_bytes(path, BESIDE_BYTES)) for name, path in files if name != large[0][0]]
    return Asked(*large[0], [*beside, *stated], column_map, dict(column_map.where if column_map else where))


def head_of(file: BinaryIO) -> bytes:
    """The first lines."""
    head = b"".join(islice(iter(lambda: file.readline(HEAD_BYTES), b""), HEAD_LINES))
    file.seek(0)
    return head


def intake_of(asked: Asked) -> Intake:
    """What the files are, by the first lines. UnusualError: something that a part cannot show."""
    files = [(asked.name, asked.head), *asked.beside]
    beside, rest = beside_of(files, ())
    try:
        intake = take_in(rest, asked.column_map, asked.where, beside)
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


def rows_of(asked: Asked, intake: Intake) -> LargeRows:
    """Nothing read yet."""
    reading = _reading(intake, asked.column_map)
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
    singles = Singles(asked.name, intake.run_id, reading, Kinds(terms), asked.where)
    tasks = Tasks(special if reading.places or stated.strata else None)
    by_value = ByValue(singles, tasks, frozenset({*told, *asked.where} - {""}), fits)
    return LargeRows(singles, by_value, Placed(tasks))


def _fitting(examples: Iterable[RawRow]) -> list[str]:
    """The shapes that rows with these keys have; of all tests of shapes only that of `status` looks at values."""
    rows = tuple(examples)
    return [shape.name for shape in SHAPES if shape.fits(rows)]


def check_runs(asked: Asked, intake: Intake, rows: LargeRows) -> None:
    """One run, and the one that the first lines named."""
    if asked.column_map:
        return
    if len(rows.singles.runs | ({intake.stated.run_id} if intake.stated.run_id and rows.singles.runs else set())) > 1:
        raise UnusualError("several runs")
    if rows.singles.runs and intake.run_id not in rows.singles.runs and not intake.stated.run_id:
        raise UnusualError("a run that the first lines do not name")
