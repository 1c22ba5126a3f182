"""Failure-class logs: one row a task and seed."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.importers.judgements import from_class
from denominator.importers.raw import RawRow
from denominator.importers.shapes.base import Shape
from denominator.importers.stated import Stated


def number_repeats(rows: Sequence[RawRow], stated: Stated) -> tuple[RawRow, ...]:
    """The repeat is the place of the seed in the header's list, else in the order of appearance."""
    order = list(stated.seeds)
    for row in rows:
        if (seed := row.value.get("seed")) not in order:
            order.append(seed)
    return tuple(
        row
        if "repeat" in row.value or row.value.get("seed") is None
        else row.with_values(repeat=order.index(row.value["seed"]) + 1)
        for row in rows
    )


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
