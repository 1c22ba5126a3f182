"""Kinds of lines that are known, by their marks, and the columns of a table that lines of known kinds come to."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from struct import error, pack
from typing import Any

from denominator.pipeline.large_single import ASIDE, Known
from denominator.records.draws import NUMBERS

MOST = 50_000
"""So many marks are remembered; then they are learned anew."""
ALONE = -1
"""The number of marks whose lines are read by themselves."""


class KnownLines:
    """Marks by number, and of each number what is known."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._kinds: list[int] = []
        self._seen: set[int] = set()
        self._quotes: list[int] = []
        self._fixed: list[list[int | None]] = [[] for _ in NUMBERS]
        self._sorts: list[set[int | None]] = [set() for _ in NUMBERS]
        self.number = self._numbers.get

    def bound(self) -> None:
        """Forget everything where it is much."""
        if len(self._numbers) >= MOST:
            self.__init__()  # type: ignore[misc]

    def learn(self, mark: Any, known: Known | None, quotes: int) -> None:
        """Lines with this mark are known so, and have so many quotation marks beside those of free values."""
        if known is None:
            self._numbers[mark] = ALONE
            return
        self._numbers[mark] = len(self._kinds)
        self._kinds.append(known.kind)
        self._seen.add(known.kind)
        self._quotes.append(quotes)
        own = {which for which, _ in known.opened}
        for which, number in enumerate(known.numbers):
            fixed = None if which in own else number
            self._fixed[which].append(fixed)
            self._sorts[which].add(fixed)

    def kinds(self, ids: Sequence[int]) -> Sequence[int]:
        """The kinds of lines."""
        return list(map(self._kinds.__getitem__, ids))

    def aside(self, kinds: Sequence[int]) -> Sequence[bool] | None:
        """Which rows are looked at; None: all."""
        return [kind != ASIDE for kind in kinds] if ASIDE in self._seen and ASIDE in kinds else None

    def quotes(self, ids: Sequence[int]) -> int:
        """The quotation marks of lines."""
        return sum(map(self._quotes.__getitem__, ids))

    def columns(self, ids: Sequence[int], own: dict[int, Sequence[Any]]) -> list[Sequence[int]]:
        """A column for each of `NUMBERS`: what each row has itself, or what is known of its kind."""
        return [self._column(which, ids, own.get(which)) for which in range(len(NUMBERS))]

    def _column(self, which: int, ids: Sequence[int], own: Sequence[Any] | None) -> Sequence[int]:
        sorts = self._sorts[which]
        if len(sorts) == 1:
            (one,) = sorts
            if one is not None:
                return array("i" if abs(one) < 2**31 else "q", (one,)) * len(ids)
            if own is not None:
                return own
        fixed = map(self._fixed[which].__getitem__, ids)
        return [one if known is None else known for known, one in zip(fixed, own or ids, strict=True)]


def packed(column: array[int], values: Sequence[int]) -> Sequence[int]:
    """Numbers as they stand in a column, which takes them sooner; as they are where one does not fit."""
    try:
        return (
            values
            if isinstance(values, array)
            else array(column.typecode, pack(f"{len(values)}{column.typecode}", *values))
        )
    except error:
        return values
