"""Amounts (milliseconds, bytes, tokens) task by task, as a column: what medians and percentiles over tasks are made of."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

from denominator.records.column_work import WORK, Work
from denominator.records.columns import Column, parted
from denominator.records.draws import Holds, JudgedDraw, counting, reader
from denominator.records.grouped import Grouped
from denominator.records.rows import Count
from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True)
class Amounts:
    """How many amounts are known and how many are not. `values` hold the known ones, task by task, where all are known;
    `sizes` says how many each task has that has any."""

    known: int
    lost: int
    values: Sequence[int] = ()
    sizes: Sequence[int] = ()
    work: Work = WORK

    @property
    def single(self) -> bool:
        """Has every task one?"""
        return len(self.sizes) == len(self.values)

    def by_task(self) -> Iterable[Iterable[int]]:
        """The amounts of each task that has any; those of a task are gone when the next one is asked for."""
        return parted(self.values, self.sizes)


def amounts(draws: Grouped, number: str, holds: Holds) -> Amounts:
    """A number of the counting attempt of the started draws for which something holds."""
    read = reader(number)

    def asked(draw: JudgedDraw) -> bool:
        return draw.row is not None and holds(draw)

    def counts(draw: JudgedDraw, at: int) -> bool:
        return asked(draw) and at == counting(draw)

    lost = draws.total(lambda draw: draw.row is not None and holds(draw) and isinstance(read(draw.row), NotMeasured))
    return of_draws(
        draws, draws.flags(asked), lost, lambda: draws.work.kept(draws.numbers(number), draws.tries_where(counts))
    )


def of_draws(draws: Grouped, asked: bytes, lost: int, values: Callable[[], Column]) -> Amounts:
    """The amounts of the draws that are asked about; `values` is called only where none of them is unknown."""
    known = sum(asked) - lost
    if lost:
        return Amounts(known, lost)
    counts = draws.counts(asked)
    return Amounts(known, 0, values(), array("I", compress(counts, counts)), draws.work)


def of_tasks(found: Mapping[str, Sequence[Count]]) -> Amounts:
    """Amounts that are listed by task."""
    values = [value for of_task in found.values() for value in of_task if isinstance(value, int)]
    lost = sum(map(len, found.values())) - len(values)
    return Amounts(len(values), lost, () if lost else values, list(map(len, found.values())))
