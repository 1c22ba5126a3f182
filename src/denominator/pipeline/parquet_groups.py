"""Groups of rows that judging cannot tell apart, found column by column: a few columns are read at a time, and of each only
a small number a row stays. Two rows are of one group when they have the same number in every column.

Columns that differ from row to row and are read by class only (digests, times, paths, test ids) are classed by polars as
`row_kinds` classes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from denominator.errors import InputError
from denominator.labels.parts import PARTS
from denominator.pipeline.parquet_columns import columns
from denominator.pipeline.row_kinds import DATE, TIMES, TOKENS, named_tasks
from denominator.records.draws import ELSEWHERE, LARGEST, NUMBERS
from denominator.records.facts import Hint
from denominator.records.seals import Terms
from denominator.wire.codec import from_json

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
EXPECTED, PASSED, OTHER_ORDER, TAIL = "tests.expected", "tests.passed", "other order", 8
TOGETHER = 12
LOOK, FEW = 2000, 4
SPAN, MOST, ODD = 1 << 16, 1 << 62, 2
Polars = Any


@dataclass(frozen=True, slots=True)
class Groups:
    """`code` is the group of every row, `firsts` the first row of each group by its code; columns of `NUMBERS` by name."""

    code: Any
    firsts: dict[int, int]
    numbers: dict[str, Any]


def grouped_rows(pl: Polars, scan: Any, terms: Terms) -> Groups:
    """Read all columns that judging reads, and put rows into groups."""
    shown, numbers, code = _essence(pl, terms), dict[str, Any](), Codes(pl)
    own: dict[str, Callable[[Any], Any]] = {
        "hints": lambda column: _own_codes(pl, column, _hints),
        "tools.repeats": lambda column: _own_codes(pl, column, lambda text: _loops(text, terms.tool_loop_n)),
        OTHER_ORDER: lambda may: _agree(pl, scan, may),
        **{name: partial(_as_written, pl, scan) for name in LISTS},
    }
    for some in _bunches(shown):
        beside = {f"#{name}": _plain(pl, name) for name in some if name in NUMBERS}
        asked = [one.alias(name) for name, one in ({name: shown[name] for name in some} | beside).items()]
        found = scan.select(asked).collect(engine="streaming")
        for name in some:
            code.add(own[name](found[name]) if name in own else found[name])
        numbers |= {name.removeprefix("#"): found[name] for name in beside}
    firsts = code.firsts()
    return Groups(code.code, firsts, numbers)


class Codes:
    """A number for every row, in which the numbers of all columns so far are told apart."""

    def __init__(self, pl: Polars) -> None:
        self._pl, self._many = pl, 1
        self.code: Any = None

    def add(self, column: Any) -> None:
        """One more column."""
        if (told := _coded(self._pl, column)) is None:
            if self.code is None:
                self.code = self._pl.zeros(len(column), dtype=self._pl.UInt64, eager=True)
            return
        codes, many = told
        if self.code is None:
            self.code, self._many = codes, many
            return
        if self._many * many > MOST:
            self.code = self.code.rank("dense").cast(self._pl.UInt64)
            self._many = self.code.max() + 1
        self.code, self._many = self.code * many + codes, self._many * many

    def firsts(self) -> dict[int, int]:
        """The first row of every code, in order of rows."""
        pl = self._pl
        frame = pl.DataFrame({"code": self.code}).with_row_index("row")
        found = frame.group_by("code").agg(pl.col("row").min()).sort("row")
        return dict(zip(found["code"].to_list(), found["row"].to_list(), strict=True))


def _coded(pl: Polars, column: Any) -> tuple[Any, int] | None:
    """Every value as a number below a limit, null too; nothing where all are the same."""
    lost = column.null_count()
    if lost == len(column) or (not lost and _all_same(column)):
        return None
    if column.dtype == pl.Boolean:
        found, many = column.cast(pl.UInt64), 2
    elif column.dtype == pl.String and (few := _few_texts(pl, column)) is not None:
        found, many = few
    elif column.dtype == pl.String:
        found = column.cast(pl.Categorical).to_physical().cast(pl.UInt64)
        many = found.max() + 1
    elif (many := column.max() - (low := column.min()) + 1) <= SPAN:
        found = (column - low).cast(pl.UInt64)
    else:
        found = column.rank("dense").cast(pl.UInt64)
        many = found.max() + 1
    return found.fill_null(many), many + 1


def _all_same(column: Any) -> bool:
    """Mostly the first rows show that they are not."""
    return all(bool((some == column[0]).all()) for some in (column.head(LOOK), column))


def _few_texts(pl: Polars, column: Any) -> tuple[Any, int] | None:
    """A column of a few texts, which the first rows show: compared with each of them, which takes less than to look up every
    value. Nothing where it holds others too."""
    texts = column.head(LOOK).unique().drop_nulls().to_list()
    if not 0 < len(texts) <= FEW:
        return None
    found = (column == texts[0]).cast(pl.UInt8)
    for number, text in enumerate(texts[1:], 2):
        found = found + (column == text).cast(pl.UInt8) * number
    return None if found.min() == 0 else (found.cast(pl.UInt64) - 1, len(texts))


def _bunches(shown: dict[str, Any]) -> Iterator[list[str]]:
    """What is read at one time: whole records, so that no column is read twice."""
    order = {name: at for at, name in enumerate(columns())}
    roots = {name: min(order[root] for root in one.meta.root_names()) for name, one in shown.items()}
    names, some = list(order), list[str]()
    for name in sorted(shown, key=roots.__getitem__):
        record = names[roots[name]].partition(".")[0]
        if len(some) >= TOGETHER and record != names[roots[some[-1]]].partition(".")[0]:
            yield some
            some = []
        some.append(name)
    yield some


def _essence(pl: Polars, terms: Terms) -> dict[str, Any]:
    """What judging reads of a row, column by column; rows that agree in all of it are of one kind."""
    shown: dict[str, Any] = {name: pl.col(name) for name in columns() if name not in UNREAD}
    for name in CLASSED:
        one = pl.col(name)
        shown[name] = pl.when(one.is_between(0, LARGEST - 1)).then((one > 0).cast(pl.Int64)).otherwise(one)
    shown |= {name: pl.col(name) != "" for name in WORDS}
    shown |= {name: _list_class(pl, name) for name in LISTS}
    shown["started_at"] = pl.col("started_at").str.slice(0, DATE)
    shown["paused > working"] = pl.col("paused_ms") > pl.col("working_ms")
    base, final = pl.col("patch.base_tree"), pl.col("patch.final_tree")
    shown |= {"base": base != "", "final": final != "", "same tree": base == final}
    shown["same tests"] = pl.col(EXPECTED) == pl.col(PASSED)
    shown[OTHER_ORDER] = _may_agree(pl)
    if named := sorted(named_tasks(terms)):
        shown["named"] = pl.when(pl.col(TASK).is_in(named)).then(pl.col(TASK)).otherwise(pl.lit(""))
    return shown


def _list_class(pl: Polars, name: str) -> Any:
    """Whether a list of texts holds none or some, or is written in another way than ours (`ODD`)."""
    one = pl.col(name)
    return (
        pl.when(one == "[]")
        .then(0)
        .when(one.str.starts_with('["'))
        .then(1)
        .when(one.is_not_null())
        .then(ODD)
        .cast(pl.Int8)
    )


def _as_written(pl: Polars, scan: Any, column: Any) -> Any:
    """Classes of lists as they are; where one is written in another way, its column is read again as texts."""
    odd = column.max() == ODD
    return scan.select(_listed(pl, column.name).alias(column.name)).collect().to_series() if odd else column


def _listed(pl: Polars, name: str) -> Any:
    """Whether a list of texts holds some; what is written in another way than ours stays as it is."""
    one = pl.col(name)
    return pl.when(one == "[]").then(pl.lit("")).when(one.str.starts_with('["')).then(pl.lit("some")).otherwise(one)


def _differ(pl: Polars) -> Any:
    expected, passed = pl.col(EXPECTED), pl.col(PASSED)
    return (expected != passed) & (expected != "[]") & (passed != "[]")


def _may_agree(pl: Polars) -> Any:
    """May the expected tests be those that passed, in another order or told twice?

    Not where no text escapes anything and the end of the last expected id, with its quote, stands nowhere in the other.
    """
    expected, passed = (pl.when(_differ(pl)).then(pl.col(name)).otherwise(None) for name in (EXPECTED, PASSED))
    end = expected.str.slice(-TAIL - 2, TAIL + 1)
    escaped = expected.str.contains("\\", literal=True) | passed.str.contains("\\", literal=True)
    short = end.str.head(TAIL).str.contains('"', literal=True)
    return (_differ(pl) & (escaped | short | passed.str.contains(end, literal=True))).fill_null(False)


def _agree(pl: Polars, scan: Any, may: Any) -> Any:
    """Are they? `may` says of every row whether this is worth a look."""
    if not may.any():
        return may
    ids = pl.List(pl.String)
    sets = [pl.col(name).str.json_decode(ids).list.unique().list.sort() for name in (EXPECTED, PASSED)]
    found = scan.select(EXPECTED, PASSED).collect().filter(may).select((sets[0] == sets[1]).alias(EXPECTED))
    return may.scatter(may.arg_true(), found[EXPECTED])


def _plain(pl: Polars, name: str) -> Any:
    """A number as it stands in a column of a table."""
    one = pl.col(name)
    return pl.when(one.is_between(0, LARGEST - 1)).then(one).otherwise(ELSEWHERE)


def _own_codes(pl: Polars, column: Any, key: Callable[[str], object]) -> Any:
    """A column of texts as numbers: those that say the same have the same."""
    texts = column.unique().drop_nulls().to_list()
    codes: dict[object, int] = {}
    numbers = [codes.setdefault(key(text), len(codes)) for text in texts]
    return column.replace_strict(texts, numbers, default=None, return_dtype=pl.Int64)


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
