"""Which rows a sheet asks about, under which names, in which order. Nobody picks rows: a hash of row and seed does."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from denominator.records.judgements import UNKNOWN
from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.reviews import AskedRow, PeopleWork, ReviewCopy
from denominator.records.rows import AttemptRow
from denominator.records.words import Axis, FailureClass, Slice
from denominator.review.words import OPEN_AXES
from denominator.wire.canonical import digest

HELD_OUT = "held_out"
SELECTIONS = ("disagreed", "low", "unresolved")
"""Rows that somebody has a reason to look at: their labels count, and say nothing of agreement."""


def row_name(key: AttemptKey) -> str:
    """A name that no spreadsheet takes for a number, a date or a formula."""
    return f"r{digest([key.run_id, key.task_id, key.repeat, key.attempt])[:16]}"


def axes_asked(wanted: Iterable[str]) -> tuple[str, ...]:
    """Axes in the order of a sheet; whoever is asked whose it was is asked for the reason too."""
    found = {*wanted} | ({str(Axis.REASON)} if Axis.ORIGIN in {*wanted} else set())
    return tuple(str(axis) for axis in OPEN_AXES if axis in found)


def pool_of(
    selection: str, rows: Iterable[AttemptRow], labels: Iterable[Label], axes: Sequence[str], work: PeopleWork
) -> list[AttemptRow]:
    """The rows that may be drawn: all that started and ended, or those of them that a selection names."""
    started = [row for row in rows if row.started and (row.closed or row.source.kind != "own")]
    if selection == HELD_OUT:
        return started
    if selection == "disagreed":
        keys = {dispute.key for dispute in work.disputes}
    elif selection == "low":
        keys = {label.key for label in labels if label.confidence == "low" and label.axis in axes}
    else:
        keys = {label.key for label in labels if label.value in (FailureClass.UNRESOLVED, UNKNOWN)}
    return [row for row in started if row.key in keys]


def drawn(pool: Sequence[AttemptRow], share: int, seed: str) -> list[AttemptRow]:
    """`share` percent of the rows, rounded up: those with the smallest hashes, sorted by key."""
    size = -(-len(pool) * share // 100)
    ranked = sorted(pool, key=lambda row: (mixed(seed, "draw", row_name(row.key)), row.key))
    return sorted(ranked[:size], key=lambda row: row.key)


def asked(rows: Iterable[AttemptRow], axes: Sequence[str]) -> tuple[AskedRow, ...]:
    """What is asked of each row; the mix is of the solvable slice only."""
    found = [
        AskedRow(
            row=row_name(row.key),
            key=row.key,
            axes=tuple(axis for axis in axes if axis != Axis.MIX or row.slice == Slice.SOLVABLE),
        )
        for row in rows
    ]
    return tuple(one for one in found if one.axes)


def copies_of(rows: Sequence[AskedRow], seed: str, labelers: Sequence[str]) -> tuple[ReviewCopy, ...]:
    """One copy a labeler, each in an order of its own as long as there are that many orders."""
    copies: list[ReviewCopy] = []
    for number, labeler in enumerate(labelers, 1):
        order = sorted((one.row for one in rows), key=lambda row: mixed(seed, f"copy {number}", row))
        for _ in order:
            if all(list(copy.order) != order for copy in copies):
                break
            order = order[1:] + order[:1]
        copies.append(ReviewCopy(name=str(number), labeler=labeler, order=tuple(order)))
    return tuple(copies)


def mixed(seed: str, purpose: str, row: str) -> str:
    """sha256 of seed, purpose and row, one a line: an order that nobody chose."""
    return hashlib.sha256(f"{seed}\n{purpose}\n{row}".encode("utf-8", "surrogatepass")).hexdigest()
