"""A ledger in Parquet, judged as its JSON lines are: polars groups the rows by what judging reads of them, and of every
group one row is read strictly. Needs the extra `parquet`.

Rows of one group are of one kind, and the kind is always made of a whole row.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, overload

from denominator.errors import InputError, MachineError, Problem
from denominator.judge import label_kind
from denominator.ledger.table import RowTable, kind
from denominator.pipeline.judging_file import Taken, judge_beside, open_ledger, without_cycles
from denominator.pipeline.parquet_columns import columns, row_of
from denominator.pipeline.parquet_groups import REPEAT, TASK, grouped_rows
from denominator.pipeline.parquet_table import parquet_table
from denominator.pipeline.results import Result
from denominator.pipeline.row_numbering import Kinds
from denominator.pipeline.row_reading import FARTHEST
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms

EXTRA = "ledgers in Parquet need the extra `parquet`"
INSTALL = "pip install 'denominator[parquet]', or name the ledger.jsonl"
NO_LEDGER = "this is no ledger in Parquet"
ROW = "#row"
Polars = Any


def polars() -> Polars:
    """The library of the extra. Raises MachineError where it is not installed."""
    try:
        return importlib.import_module("polars")
    except ImportError as error:
        raise MachineError(EXTRA, fix=INSTALL) from error


@contextmanager
def readable(pl: Polars, where: str) -> Iterator[None]:
    """What polars cannot read is an input error of ours."""
    try:
        yield
    except (pl.exceptions.PolarsError, OSError) as error:
        what = f"{NO_LEDGER}: {str(error).splitlines()[0][:200] if str(error) else type(error).__name__}"
        raise InputError(what, where=where, fix="write it again with `denominator runs parquet`") from error


def judge_parquet(path: Path) -> Result:
    """Judge a ledger in Parquet under the terms and the declared draws beside it."""
    pl = polars()
    open_ledger(path).close()
    with without_cycles():
        return judge_beside(path, lambda terms: take_parquet(pl, path, terms))


def take_parquet(pl: Polars, path: Path, terms: Terms) -> Taken:
    """The rows of a ledger in Parquet, by kind."""
    with readable(pl, str(path)):
        scan = pl.scan_parquet(path, glob=False)
        _check_columns(pl, scan, str(path))
        whole = ParquetRows(pl, scan, path)
        if not len(whole):
            return Taken(RowTable(), (), (), whole)
        _check_places(pl, scan, str(path))
        groups = grouped_rows(pl, scan, terms)
        rows, numbers = _kinds(whole.some(list(groups.firsts.values())), terms)
        table = parquet_table(pl, scan, numbers, groups)
    return Taken(table, [kind(row, label_kind(row, terms), terms) for row in rows], (), whole)


class ParquetRows(Sequence[AttemptRow]):
    """Every row of a file, read again when it is looked at."""

    def __init__(self, pl: Polars, scan: Any, path: Path) -> None:
        self._pl, self._scan, self._where = pl, scan, str(path)
        self._len = int(scan.select(pl.len()).collect().item())

    def __len__(self) -> int:
        return self._len

    @overload
    def __getitem__(self, at: int, /) -> AttemptRow: ...
    @overload
    def __getitem__(self, at: slice, /) -> tuple[AttemptRow, ...]: ...
    def __getitem__(self, at: int | slice, /) -> AttemptRow | tuple[AttemptRow, ...]:
        places = range(self._len)[at]
        if isinstance(places, range):
            return tuple(self.some(list(places)))
        return next(iter(self.some([places])))

    def __iter__(self) -> Iterator[AttemptRow]:
        for begin in range(0, self._len, 4096):
            yield from self.some(list(range(begin, min(begin + 4096, self._len))))

    def some(self, places: Sequence[int]) -> Iterator[AttemptRow]:
        """The rows at some places, in that order. Raises InputError for one that is no row."""
        if not places:
            return
        low, pl = min(places), self._pl
        with readable(pl, self._where):
            part = self._scan.slice(low, max(places) - low + 1).with_row_index(ROW)
            if len(places) < max(places) - low + 1:
                part = part.filter(pl.col(ROW).is_in([at - low for at in places]))
            found = {cells[ROW] + low: cells for cells in part.collect().iter_rows(named=True)}
        for at in places:
            yield row_of(found[at], f"{self._where}, row {at + 1}")


def _check_columns(pl: Polars, scan: Any, where: str) -> None:
    types = {"text": pl.String, "json": pl.String, "int64": pl.Int64, "bool": pl.Boolean}
    found, wanted = dict(scan.collect_schema()), {name: types[kind_] for name, kind_ in columns().items()}
    problems = [Problem(name, "no row has such a column") for name in found.keys() - wanted.keys()]
    problems += [Problem(name, f"must be a column of {one}") for name, one in wanted.items() if found.get(name) != one]
    if problems:
        raise InputError(
            NO_LEDGER,
            where=where,
            fix="see docs/formats/ledger-parquet.md",
            problems=sorted(problems, key=lambda one: one.where),
        )


def _check_places(pl: Polars, scan: Any, where: str) -> None:
    repeat, task = pl.col(REPEAT), pl.col(TASK)
    told = scan.select(
        task.null_count().alias("t"),
        repeat.null_count().alias("r"),
        repeat.min().alias("low"),
        repeat.max().alias("high"),
    )
    lost_task, lost_repeat, low, high = told.collect().row(0)
    if lost_task or lost_repeat or low <= -FARTHEST or high >= FARTHEST:
        raise InputError("a row has no task_id, or a repeat that is no number of a draw", where=where)


def _kinds(firsts: Iterator[AttemptRow], terms: Terms) -> tuple[list[AttemptRow], list[int]]:
    """The kinds of some rows, and the number of the kind of each."""
    kinds, numbers = Kinds(terms), list[int]()
    for row in firsts:
        if abs(row.key.attempt) >= FARTHEST:
            raise InputError("key.attempt is no number of a draw", where="key.attempt")
        numbers.append(kinds.number(row))
    return kinds.rows, numbers
