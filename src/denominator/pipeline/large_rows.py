"""Foreign rows of one long file in columns by kind: one row of each kind is read in full, the others are counted.

Whatever cannot be told by kind is read in full by itself, by the very functions that read a short file. Memory grows by some
tens of bytes a row and by the number of kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, BinaryIO

from denominator.pipeline.large_by_value import ByValue
from denominator.pipeline.large_content import digest_of, digests_of, in_order
from denominator.pipeline.large_forms import Form, quotes_in
from denominator.pipeline.large_kinds import ALONE, KnownLines
from denominator.pipeline.large_lines import Cut, Lines, OddLinesError
from denominator.pipeline.large_placed import Placed
from denominator.pipeline.large_run import Run, run_of
from denominator.pipeline.large_single import Singles, UnusualError
from denominator.pipeline.large_told import Told
from denominator.wire.jsonl import raw_blocks

WITH_PLACE = object()


@dataclass(slots=True)
class LargeRows:
    """One long file, or a range of it, while it is read. `seen` counts lines, `read_rows` those that are rows.

    `digests` are those of lines that were read here, `sorted` those of others.
    """

    singles: Singles
    by_value: ByValue
    placed: Placed
    digests: bytearray = field(default_factory=bytearray)
    sorted: list[bytes] = field(default_factory=list)
    seen: int = 0
    read_rows: int = 0
    _form: Lines | None = None
    _marks: KnownLines = field(default_factory=KnownLines)

    def read(
        self,
        file: BinaryIO,
        *,
        passed: int = 0,
        before: int = 0,
        offset: int = 0,
        go_on: Callable[[], None] = lambda: None,
    ) -> None:
        """Every line; the first `passed` are no rows. `before` lines and `offset` bytes stand before the first of them.

        `go_on` is called again and again. UnusualError: a line that is no row.
        """
        for block in raw_blocks(file, offset):
            go_on()
            run = run_of(block, before)
            self.digests += digests_of(run.lines)
            heads = min(passed, len(run.lines))
            for at in range(heads):
                run.value(at)
            self.seen += len(run.lines)
            self.read_rows += len(run.lines) - heads
            passed -= heads
            self._take(run.part(heads, len(run.lines)))

    def take(self, told: Told) -> None:
        """What another process read of the lines that follow. UnusualError: it is not for this road, or not with these lines."""
        if told.unusual:
            raise UnusualError("a line that is no row")
        for keys in told.plans:
            self.by_value.plan(keys)
        self.singles.take(told)
        kinds = self.singles.kinds.numbered(told.kinds)
        tasks = self.placed.tasks.taken(told.tasks)
        while told.rows:
            self.placed.take(*told.rows.pop(0), kinds, tasks)
        self.sorted.append(told.digests)
        self.seen += told.seen
        self.read_rows += told.seen

    def sort(self) -> None:
        """What can be done with the lines that were read while others are."""
        self.sorted.append(in_order(self.digests))
        self.digests = bytearray()

    def content(self) -> str:
        """The digest of all lines, whatever their order; they are forgotten."""
        found = in_order(*self.sorted, self.digests)
        self.digests, self.sorted = bytearray(), []
        return digest_of(found)

    def _take(self, run: Run) -> None:
        """Rows that follow each other, many at once where they are of one form."""
        while run.lines:
            if self._form is None:
                run = self._apart(run, (0,))
                continue
            try:
                self._at_once(run, self._form)
            except OddLinesError as found:
                run = self._apart(run, found.odd)
            else:
                return

    def _apart(self, run: Run, odd: Sequence[int]) -> Run:
        """Odd lines are read by themselves; what is left behind them, or behind the first that made another form."""
        begin, form = 0, self._form
        for at in odd:
            self._take(run.part(begin, at))
            self._alone(run, at)
            begin = at + 1
            if self._form is not form:
                break
        return run.part(begin, len(run.lines))

    def _at_once(self, run: Run, form: Lines) -> None:
        """Rows of one form. OddLinesError: some of them have to be read by themselves."""
        text = b"\n".join(run.lines)
        cut = form.cut(run.lines, text)
        ids = self._ids(run, form, cut, self._marked(cut))
        if self._marks.quotes(ids) + cut.free != quotes_in(text):
            odd = [at for at, line in enumerate(run.lines) if quotes_in(line) != form.form.quotes(cut.rows[at])]
            raise OddLinesError(odd or range(len(run.lines)))
        kinds, numbers = self._marks.kinds(ids), self._marks.columns(ids, cut.numbers)
        lines = range(run.number, run.number + len(run.lines))
        columns: list[Any] = [kinds, cut.tasks, cut.repeats, run.offsets, lines, *numbers]
        if (kept := self._marks.aside(kinds)) is not None:
            columns = [list(compress(one, kept)) for one in columns]
        self.placed.extend(run.number, *columns)

    def _marked(self, cut: Cut) -> Sequence[Any]:
        """Marks with what of the place of their task is part of the kind."""
        places = self.placed.tasks.places(cut.tasks)
        if places is None:
            return cut.marks
        return [(mark, place, WITH_PLACE) if place else mark for mark, place in zip(cut.marks, places, strict=True)]

    def _ids(self, run: Run, form: Lines, cut: Cut, marks: Sequence[Any]) -> Sequence[int]:
        """Marks by number; one line of each new one is read in full. OddLinesError: lines that stand for themselves alone."""
        self._marks.bound()
        ids = list(map(self._marks.number, marks))
        if None in ids:
            new = {mark: at for at, mark in reversed([*enumerate(marks)]) if ids[at] is None}
            for mark, at in reversed([*new.items()]):
                self._marks.learn(mark, self.by_value.first(run, at, form.form), form.quotes(cut.rows[at]))
            ids = list(map(self._marks.number, marks))
        if ALONE in ids:
            raise OddLinesError([at for at, one in enumerate(ids) if one == ALONE])
        return ids  # type: ignore[return-value]

    def _alone(self, run: Run, at: int) -> None:
        """A line that is read as JSON. UnusualError: it is no row."""
        value = run.value(at)
        form = (self._form.form if self._form else Form()).grown(self.by_value.plan(tuple(value)), value)
        if form is not None and (self._form is None or form is not self._form.form):
            self._form, self._marks = Lines(form), KnownLines()
        row = self.by_value.row(run, at, value)
        if row is not None:
            self.placed.add(run.number + at, run.offsets[at], row)
