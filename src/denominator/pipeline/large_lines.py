"""Lines of a known form, column by column: task, repeat, what is of the kind, and the numbers that stand beside it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any, NamedTuple

from msgspec import UNSET, Raw, Struct, UnsetType

from denominator.pipeline.large_forms import BYTES, FREE, KIND, OPEN, REPEAT, TASK, Form, quotes_in
from denominator.pipeline.large_values import Tiny, as_told, holds_tiny
from denominator.wire.scan import DEPTH_MAX
from denominator.wire.strict import read

FARTHEST = 2**16
"""A repeat or an attempt from here on is no ordinary one."""
Values = Sequence[Any]


class OddLinesError(Exception):
    """Some lines have to be read by themselves; `odd` are their places."""

    def __init__(self, odd: Sequence[int]) -> None:
        super().__init__(f"{len(odd)} odd lines")
        self.odd = sorted({*odd})


class Cut(NamedTuple):
    """Lines in columns. `marks`: lines with one mark are of one kind. `free` are the quotation marks of all free values."""

    rows: Sequence[Struct]
    tasks: Sequence[str]
    repeats: Sequence[int]
    marks: Values
    numbers: dict[int, Values]
    free: int


class Lines:
    """Cuts lines of one form into columns."""

    def __init__(self, form: Form) -> None:
        self.form = form
        parts = [form.of(part) for part in (TASK, REPEAT, KIND, OPEN, FREE)]
        (self._task,), self._repeat, kinds, self._open, self._free = parts
        self._bytes = [get for one, get in kinds if one.type == BYTES]

    def cut(self, lines: Sequence[bytes], text: bytes) -> Cut:
        """The columns of lines, which `text` holds. OddLinesError: some of them have to be read by themselves."""
        rows = self._decoded(lines)
        repeats, numbered, odd = self._repeats(rows)

        def tiny() -> bool:
            return holds_tiny(text)

        told = [(one, as_told(one.read, list(map(get, rows)), tiny)) for one, get in self._open if one.read]
        free = [_free(one.type, list(map(get, rows)), tiny) for one, get in self._free]
        odd += [at for _, column in told for at in column.odd] + [at for column in free for at in column.odd]
        if odd:
            raise OddLinesError(odd)
        beside = [numbered] + [column.kinds for _, column in told] + [column.kinds for column in free]
        beside += [[_bytes(one) for one in map(get, rows)] for get in self._bytes]
        tasks = list(map(self._task[1], rows))
        numbers: dict[int, Values] = {}
        for one, column in told:
            before = numbers.get(one.which)
            numbers[one.which] = column.numbers if before is None else _either(before, column.numbers)
        return Cut(rows, tasks, repeats, self._marks(rows, beside), numbers, sum(column.quotes for column in free))

    def quotes(self, row: Struct) -> int:
        """The quotation marks of a line without those of its free values."""
        return self.form.quotes(row) - sum(_free(one.type, [get(row)], bool).quotes for one, get in self._free)

    def _decoded(self, lines: Sequence[bytes]) -> Sequence[Struct]:
        try:
            return list(map(self.form.decode, lines))
        except (ValueError, RecursionError):
            odd = [at for at, line in enumerate(lines) if not self._is_of_form(line)]
            raise OddLinesError(odd) from None

    def _is_of_form(self, line: bytes) -> bool:
        try:
            self.form.decode(line)
        except (ValueError, RecursionError):
            return False
        return True

    def _repeats(self, rows: Sequence[Struct]) -> tuple[Sequence[int], Values | None, list[int]]:
        """The repeats, which rows have one (None: all), and which are odd; a row without one is the first."""
        if not self._repeat:
            return [1] * len(rows), None, []
        (one, get), *_ = self._repeat
        found, there = list(map(get, rows)), None
        if one.optional:
            there = [int(value is not UNSET) for value in found]
            found = [value if known else 1 for value, known in zip(found, there, strict=True)]
        if min(found) > 0 and max(found) < FARTHEST:
            return found, there if there and not all(there) else None, []
        return found, there, [at for at, value in enumerate(found) if not 0 < value < FARTHEST]

    def _marks(self, rows: Sequence[Struct], beside: Sequence[Values | None]) -> Values:
        kinds = map(self.form.kind, rows)
        if all(one is None for one in beside):
            return list(kinds)
        # A mark of several parts begins with a tuple or stands for no part of it: it is never equal to one of the other sort.
        return list(zip(kinds, *(repeat(1) if one is None else one for one in beside), strict=False))


def _either(some: Values, others: Values) -> Values:
    """Two columns of one number, of which a row has one."""
    return [other if one is None or one is UNSET else one for one, other in zip(some, others, strict=False)]


class Free(NamedTuple):
    """Values that nothing knows: which are there (None: all), how many quotation marks they have, and which are odd."""

    kinds: Values | None
    quotes: int
    odd: Sequence[int]


def _free(type_: str, column: Values, tiny: Tiny) -> Free:
    if type_ == BYTES:
        return _nested(column)
    types = list(map(type, column))
    there = [int(one is not UnsetType) for one in types] if UnsetType in types else None
    odd = [at for at, one in enumerate(column) if one.__class__ is float and not one] if float in types else []
    odd = odd if odd and tiny() else []
    return Free(there, 2 * types.count(str), odd)


def _nested(column: Values) -> Free:
    """Values that may be lists or tables: each is read strictly, for the keys in it."""
    values = [None if one is UNSET else bytes(one) for one in column]
    odd = [at for at, one in enumerate(values) if one is not None and not _is_sound(one)]
    there = [int(one is not None) for one in values] if None in values else None
    return Free(there, sum(quotes_in(one) for one in values if one), odd)


def _is_sound(value: bytes) -> bool:
    return value.count(b"[") + value.count(b"{") < DEPTH_MAX and read(value, "decimal")[1] is None


def _bytes(value: Raw | UnsetType) -> Any:
    return value if isinstance(value, UnsetType) else bytes(value)
