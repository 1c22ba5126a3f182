"""A ledger in Parquet, judged as its JSON lines are: polars groups the rows by what judging reads of them, and of every
group one row is read strictly. Needs the extra `parquet`.

Columns that differ from row to row and are read by class only (digests, times, paths, test ids) are classed by polars as
`row_kinds` classes them; rows of one group are of one kind, and the kind is always made of a whole row.
"""

from __future__ import annotations

import importlib
import json
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, overload

from denominator.errors import InputError, MachineError, Problem
from denominator.judge import label_kind
from denominator.labels.parts import PARTS
from denominator.ledger.table import RowTable, kind
from denominator.pipeline.declaring import declared_beside, promised_by
from denominator.pipeline.judging_file import ALONE, Taken, judge_rows, open_ledger, without_cycles
from denominator.pipeline.label_stream import terms_beside
from denominator.pipeline.parquet_columns import columns, row_of
from denominator.pipeline.results import Result, sealed_terms
from denominator.pipeline.row_kinds import DATE, TIMES, TOKENS, kind_of, named_tasks
from denominator.pipeline.row_reading import FARTHEST
from denominator.records.draws import ELSEWHERE, LARGEST, NUMBERS
from denominator.records.facts import Hint
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json

EXTRA = "ledgers in Parquet need the extra `parquet`"
INSTALL = "pip install 'denominator[parquet]', or name the ledger.jsonl"
NO_LEDGER = "this is no ledger in Parquet"
ROW, CODE = "#row", "#code"
AT_ONCE = 65_536
TASK, REPEAT = "key.task_id", "key.repeat"
CLASSED = (*TIMES, *(f"usage.{name}" for name in TOKENS), "source.line", "paused_ms", "working_ms", "patch.bytes",
    "tools.calls", "tools.with_results", "surfaces.used")  # fmt: skip
WORDS = ("source.sha256", "report_sha", "patch.sha256", "patch.applied_tree")
LISTS = (
    *(f"tests.{name}" for name in ("expected", "passed", "failed", "skipped", "missing", "other")),
    *(f"patch.{name}" for name in ("touched", "outside", "forbidden", "refused")),
    "surfaces.invented", "surfaces.unchecked",
)  # fmt: skip
NEVER_READ = ("words", "notes")
UNREAD = (*NEVER_READ, TASK, REPEAT, "patch.base_tree", "patch.final_tree")
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
        return _judged(pl, path)


def _judged(pl: Polars, path: Path) -> Result:
    if (path.parent / "terms.json").is_file() or not (path.parent / "seal.json").is_file():
        terms = terms_beside(path)
        return judge_rows(take_parquet(pl, path, terms), terms, declared_beside(path.parent))
    seal, terms = sealed_terms(path.parent)
    notes = (ALONE.format(name=path.name),)
    return judge_rows(take_parquet(pl, path, terms), terms, promised_by(seal, path.parent.name), seal, notes)


def take_parquet(pl: Polars, path: Path, terms: Terms) -> Taken:
    """The rows of a ledger in Parquet, by kind."""
    with readable(pl, str(path)):
        scan = pl.scan_parquet(path, glob=False)
        _check_columns(pl, scan, str(path))
        whole = ParquetRows(pl, scan, path)
        if not len(whole):
            return Taken(RowTable(), (), (), whole)  # type: ignore[arg-type]
        _check_places(pl, scan, str(path))
        groups, firsts = _groups(pl, scan, terms)
        rows, numbers = _kinds(whole.some(firsts), terms)
        table = _table(pl, scan, [numbers[group] for group in range(len(firsts))], groups)
    return Taken(table, [kind(row, label_kind(row, terms), terms) for row in rows], (), whole)  # type: ignore[arg-type]


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


def _essence(pl: Polars, terms: Terms) -> dict[str, Any]:
    """What judging reads of a row, column by column; rows that agree in all of it are of one kind."""
    shown: dict[str, Any] = {name: pl.col(name) for name in columns() if name not in UNREAD}
    for name in CLASSED:
        one = pl.col(name)
        shown[name] = pl.when(one.is_between(0, LARGEST - 1)).then((one > 0).cast(pl.Int64)).otherwise(one)
    shown |= {name: pl.col(name) != "" for name in WORDS}
    shown |= {name: pl.col(name) != "[]" for name in LISTS}
    shown["started_at"] = pl.col("started_at").str.slice(0, DATE)
    shown["paused > working"] = pl.col("paused_ms") > pl.col("working_ms")
    base, final = pl.col("patch.base_tree"), pl.col("patch.final_tree")
    shown |= {"base": base != "", "final": final != "", "same tree": base == final}
    shown["same tests"] = pl.col("tests.expected") == pl.col("tests.passed")
    named = sorted(named_tasks(terms))
    shown["named"] = pl.when(pl.col(TASK).is_in(named)).then(pl.col(TASK)).otherwise(pl.lit(""))
    return shown


def _groups(pl: Polars, scan: Any, terms: Terms) -> tuple[Any, list[int]]:
    """The number of the group of every row, and the first row of every group."""
    shown = _essence(pl, terms)
    for name, key in (("hints", _hints), ("tools.repeats", lambda text: _loops(text, terms.tool_loop_n))):
        texts = scan.select(pl.col(name).unique()).collect().to_series().drop_nulls().to_list()
        codes: dict[object, int] = {}
        shown[name] = pl.col(name).replace_strict(
            texts, [codes.setdefault(key(text), len(codes)) for text in texts], default=None, return_dtype=pl.Int64
        )
    spread = (
        scan.select(
            [
                ((one.min() != one.max()).fill_null(False) | one.is_null().any() & one.is_not_null().any()).alias(name)
                for name, one in shown.items()
            ]
        )
        .collect(engine="streaming")
        .row(0, named=True)
    )
    kept = [one.alias(name) for name, one in shown.items() if spread[name]]
    places = scan.select(*kept, *_others(pl)).with_row_index(ROW)
    names = [*(name for name in shown if spread[name]), "other order"]
    found = places.group_by(names).agg(pl.col(ROW)).select(pl.col(ROW), pl.col(ROW).list.min().alias("first"))
    groups = found.sort("first").with_row_index(CODE).collect(engine="streaming")
    firsts: list[int] = groups["first"].to_list()
    return groups.select(CODE, ROW).explode(ROW).sort(ROW)[CODE], firsts


def _others(pl: Polars) -> list[Any]:
    """Are the expected tests those that passed, in another order or told twice? Then they agree."""
    expected, passed = pl.col("tests.expected"), pl.col("tests.passed")
    ids = pl.List(pl.String)
    differ = (expected != passed) & (expected != "[]") & (passed != "[]")
    sets = [
        pl.when(differ).then(one).otherwise(None).str.json_decode(ids).list.unique().list.sort()
        for one in (expected, passed)
    ]
    return [(sets[0] == sets[1]).fill_null(False).alias("other order")]


def _hints(text: str) -> object:
    return PARTS["hints"].key(tuple(from_json(Hint, one, "hints") for one in _list(text)))


def _loops(text: str, loop_n: int) -> object:
    return any(
        isinstance(one, dict) and isinstance(one.get("times"), int) and one["times"] >= loop_n for one in _list(text)
    )


def _list(text: str) -> list[Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, list):
        raise InputError("a column of lists holds a text that is no list", where="hints or tools.repeats")
    return found


def _kinds(firsts: Iterator[AttemptRow], terms: Terms) -> tuple[list[AttemptRow], list[int]]:
    """The kinds of some rows, and the number of the kind of each."""
    named, known, kinds, numbers = named_tasks(terms), dict[bytes, int](), list[AttemptRow](), []
    for row in firsts:
        if abs(row.key.attempt) >= FARTHEST:
            raise InputError("key.attempt is no number of a draw", where="key.attempt")
        one = kind_of(row, named, terms.tool_loop_n)
        number = known.setdefault(sha256(canonical(one)).digest(), len(kinds))
        if number == len(kinds):
            kinds.append(one)
        numbers.append(number)
    return kinds, numbers


def _table(pl: Polars, scan: Any, numbers: Sequence[int], groups: Any) -> RowTable:
    """Place, kind and numbers of every row, in columns."""
    plain = [
        pl.when((one := pl.col(name)).is_between(0, LARGEST - 1)).then(one).otherwise(ELSEWHERE).alias(name)
        for name in NUMBERS
    ]
    found = scan.select(pl.col(TASK).cast(pl.Categorical), pl.col(REPEAT), *plain).collect(engine="streaming")
    codes = found[TASK].to_physical()
    names = found.select(pl.col(TASK).cast(pl.String), codes.alias(CODE)).unique().sort(CODE)
    order = {code: at for at, code in enumerate(names[CODE].to_list())}
    dense = codes if len(order) == len(names) and _dense(names[CODE]) else codes.replace_strict(order)
    return RowTable(
        tasks={name: at for at, name in enumerate(names[TASK].to_list())},
        task=_array("i", dense),
        repeat=_array("i", found[REPEAT]),
        kind=array("i", map(numbers.__getitem__, _array("i", groups))),
        offsets=array("q", range(len(found))),
        numbers=[_array("i" if found[name].max() < 2**31 else "q", found[name]) for name in NUMBERS],
    )


def _dense(codes: Any) -> bool:
    return bool(codes[0] == 0 and codes[-1] == len(codes) - 1)


def _array(typecode: str, column: Any) -> array[int]:
    """A column as an array, some thousands of numbers at a time."""
    found = array(typecode)
    for begin in range(0, len(column), AT_ONCE):
        found.extend(array(typecode, column.slice(begin, AT_ONCE).to_list()))
    return found
