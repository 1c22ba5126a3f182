"""Failure-class logs: one row a task and seed."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.importers.judgements import from_class
from denominator.importers.raw import RawRow
from denominator.importers.shapes.base import Shape
from denominator.importers.stated import Stated
from denominator.importers.values import CsvText
from denominator.wire.byvalue import by_value
from denominator.wire.sources.loose import whole_number


def number_repeats(rows: Sequence[RawRow], stated: Stated) -> tuple[RawRow, ...]:
    """The repeat is the place of the seed in the header's list; seeds that it does not list follow by value."""
    order = [by_value(seed) for seed in stated.seeds]
    seen = {by_value(_seed(row)): _seed(row) for row in rows if _seed(row) is not None}
    order += sorted(seen.keys() - set(order), key=lambda text: (not isinstance(seen[text], int), len(text), text))
    place = {text: number for number, text in enumerate(order, 1)}
    return tuple(
        row if "repeat" in row.value or _seed(row) is None else row.with_values(repeat=place[by_value(_seed(row))])
        for row in rows
    )


def _seed(row: RawRow) -> object:
    """The seed of a row; a cell of a CSV file that is a number is that number."""
    seed = row.value.get("seed")
    found = whole_number(seed.strip()) if isinstance(seed, CsvText) and seed.strip().isdecimal() else None
    return seed if found is None else found


SHAPE = Shape(
    name="seed-log",
    method="M13",
    what="one failure class a task and seed; one log file a seed is fine",
    example='{"task_id": "t1", "slice": "positive", "outcome": "test_fail", "seed": 7}',
    signs=frozenset({"outcome", "seed"}),
    judge=from_class,
    judges="outcome",
    prepare=number_repeats,
    wants=("header (header.json)",),
)
