"""Columns of rows on their way from one process to another: messages of bounded size, the last of which says that it is all."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from typing import IO, Any, BinaryIO, NamedTuple, Protocol, TypeVar

from denominator.ledger.table import RowTable

T = TypeVar("T")
AT_ONCE = 2**16
"""Rows, names or kinds in one message."""


class Columns(NamedTuple):
    """Some rows; kinds and tasks by the numbers they have in their part."""

    kinds: Sequence[int]
    tasks: Sequence[int]
    repeats: Sequence[int]
    numbers: Sequence[Sequence[int]]
    offsets: Sequence[int]


class Message(Protocol):
    """What one process tells another, piece by piece."""

    all: bool

    def add(self, more: Any, /) -> None:
        """What comes next."""
        ...


Said = TypeVar("Said", bound=Message)


def write(out: BinaryIO, told: Message) -> None:
    """One message."""
    pickle.dump(told, out, pickle.HIGHEST_PROTOCOL)


def pieces(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Values, as many at once as one message holds."""
    for at in range(0, len(values), AT_ONCE):
        yield values[at : at + AT_ONCE]


def taken(table: RowTable) -> Columns:
    """The next rows of a table, which has them no longer: the other process has them now, and memory is counted for both."""
    columns = (table.kind, table.task, table.repeat, *table.numbers, table.offsets)
    kinds, tasks, repeats, *numbers, offsets = (column[:AT_ONCE] for column in columns)
    for column in columns:
        del column[:AT_ONCE]
    return Columns(kinds, tasks, repeats, numbers, offsets)


def received(told: Said, source: IO[bytes]) -> Said | None:
    """What another process wrote; nothing where it ended before it had said all."""
    try:
        while not told.all:
            told.add(pickle.load(source))  # noqa: S301 (a pipe of our own process, which nobody else can write to)
    except (EOFError, OSError, pickle.UnpicklingError):
        return None
    return told
