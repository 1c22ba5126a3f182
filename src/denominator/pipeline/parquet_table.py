"""The rows of a Parquet ledger as a table, in the order of their draws; polars finds the slot of every row.

The order and the slots are those that `ledger/slots.py` finds row by row; nothing that is judged depends on either way.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from denominator.ledger.slots import Seated, Slots
from denominator.ledger.table import RowTable
from denominator.pipeline.parquet_arrays import array_of, series_of
from denominator.pipeline.parquet_groups import REPEAT, TASK, Groups
from denominator.pipeline.parquet_work import Held, PolarsWork
from denominator.records.columns import Column
from denominator.records.draws import NUMBERS
from denominator.records.names import NONE, Numbered, raws_of

ATTEMPT = "key.attempt"
LINE, KIND, RANK = "#line", "#kind", "#rank"
MOST, LARGE = 1 << 62, 1 << 22
Polars = Any


@dataclass(slots=True)
class ParquetTable(RowTable):
    """`places` holds the task (by number) and the repeat of every row, `held` its numbers."""

    pl: Polars = None
    places: Any = None
    held: Sequence[Column] = ()

    def columns(self) -> Sequence[Column]:
        return self.held

    def seated(self, slots: Slots) -> Seated:
        """The rows in the slots of their draws."""
        pl, (shape_of, begins) = self.pl, slots.of_tasks()
        task, repeat = self.places[RANK], self.places[REPEAT].cast(pl.Int64)
        low, width = repeat.min(), repeat.max() - repeat.min() + 1
        if width * len(slots.shapes) > LARGE:
            return RowTable.seated(self, slots)
        offsets = [NONE] * (width * len(slots.shapes))
        for (shape, one), at in slots.offsets().items():
            if low <= one < low + width:
                offsets[shape * width + one - low] = at
        shapes, begin = series_of(pl, shape_of).cast(pl.Int64), series_of(pl, begins).cast(pl.Int64)
        offset = pl.Series(offsets, dtype=pl.Int64).gather(shapes.gather(task) * width + (repeat - low))
        known, row = offset != NONE, pl.int_range(len(offset), dtype=pl.Int32, eager=True)
        away, slot = row.filter(~known), begin.gather(task) + offset
        if len(away):
            slot, row = slot.filter(known), row.filter(known)
        # The last row of a slot stays in it; where it has several, all of them are named beside it.
        one = pl.repeat(NONE, len(slots), dtype=pl.Int32, eager=True)
        one = one.scatter(slot, row) if len(row) else one
        return Seated(array_of(one), _several(pl, one, slot, row), array("I", away.to_list()))


def _several(pl: Polars, one: Any, slot: Any, row: Any) -> dict[int, list[int]]:
    """The rows of slots that have several. `one` of each is in its slot; `row` of them are in the slots `slot`."""
    others = slot.filter(one.gather(slot) != row)
    found: dict[int, list[int]] = {}
    if len(others):
        crowded = pl.repeat(0, len(one), dtype=pl.UInt8, eager=True).scatter(others, 1).gather(slot).cast(pl.Boolean)
        for place, number in zip(slot.filter(crowded).to_list(), row.filter(crowded).to_list(), strict=True):
            found.setdefault(place, []).append(number)
    return found


def parquet_table(pl: Polars, scan: Any, numbers: Sequence[int], groups: Groups) -> ParquetTable:
    """Place, kind and numbers of every row, in columns. `numbers` are the kinds of the groups, in the order of their firsts."""
    found = scan.select(pl.col(TASK).cast(pl.Categorical), REPEAT, ATTEMPT).collect()
    codes, named = found[TASK].to_physical(), found[TASK].unique()
    order = pl.DataFrame({TASK: named.cast(pl.String), RANK: named.to_physical()}).sort(TASK)
    ranks = pl.repeat(0, codes.max() + 1, dtype=pl.Int64, eager=True)
    ranks = ranks.scatter(order[RANK], pl.int_range(len(order), eager=True))
    kinds = groups.code.replace_strict(list(groups.firsts), numbers, return_dtype=pl.Int32)
    lines = pl.int_range(len(found), dtype=pl.Int32, eager=True)
    numbered = (_narrow(pl, one).alias(name) for name, one in groups.numbers.items())
    rows = found.select(REPEAT, ATTEMPT).with_columns(
        ranks.gather(codes).alias(RANK), kinds.alias(KIND), lines.alias(LINE), *numbered
    )
    rows = _ordered(rows.rechunk())
    return ParquetTable(
        tasks=Numbered(raws_of(order[TASK].to_list())),
        task=array_of(rows[RANK].cast(pl.Int32)),
        repeat=array_of(rows[REPEAT].cast(pl.Int32)),
        kind=array_of(rows[KIND]),
        lines=array_of(rows[LINE]),
        held=[Held(rows[name]) for name in NUMBERS],
        work=PolarsWork(pl),
        pl=pl,
        places=rows.select(RANK, REPEAT),
    )


def _ordered(rows: Any) -> Any:
    """Rows by task, repeat and attempt, where these fit into one number."""
    key, many = rows[RANK], rows[RANK].max() + 1
    for name in (REPEAT, ATTEMPT):
        low, width = rows[name].min(), rows[name].max() - rows[name].min() + 1
        if (many := many * width) > MOST:
            return rows
        key = key * width + (rows[name] - low)
    if key.is_sorted():
        return rows
    if many * len(rows) > MOST:
        return rows[key.arg_sort()]
    # The number of the row beside its key: numbers are sorted in less time than places of numbers.
    return rows[(key * len(rows) + rows[LINE]).sort() % len(rows)]


def _narrow(pl: Polars, column: Any) -> Any:
    return column.cast(pl.Int32) if column.max() < 2**31 else column
