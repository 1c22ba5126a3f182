"""Foreign rows of one long file in columns by kind: one row of each kind is read in full, the others are counted.

Whatever cannot be told by kind is read in full by itself, by the very functions that read a short file. Memory grows by some
tens of bytes a row and by the number of kinds.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, compress, pairwise
from operator import add, lt
from typing import Any, BinaryIO, NamedTuple

from denominator.ledger.table import RowTable
from denominator.pipeline.large_columns import Plan, plan_of
from denominator.pipeline.large_content import digest_of, digests_of, in_order
from denominator.pipeline.large_forms import Form, quotes_in
from denominator.pipeline.large_kinds import ALONE, KnownLines, packed
from denominator.pipeline.large_lines import FARTHEST, Cut, Lines, OddLinesError
from denominator.pipeline.large_single import Known, Singles, UnusualError
from denominator.pipeline.large_tasks import Tasks
from denominator.pipeline.large_told import Told
from denominator.pipeline.row_kinds import numbers_of
from denominator.wire.jsonl import LINE_BYTES_MAX, RawBlock, RawLine, raw_blocks
from denominator.wire.strict import read

MOST_KNOWN = 50_000
"""Kinds of lines that are remembered; rows of later ones are read one by one."""
LONG = 400
WITH_PLACE = object()
Numbers = Sequence[int]


class Run(NamedTuple):
    """Lines that follow each other: number of the first, offset of each, their bytes without what ends a line."""

    number: int
    offsets: Sequence[int]
    lines: Sequence[bytes]

    def part(self, begin: int, end: int) -> Run:
        """Some of them."""
        return Run(self.number + begin, self.offsets[begin:end], self.lines[begin:end])


@dataclass(slots=True)
class LargeRows:
    """One long file, or a range of it, while it is read.

    `asked` are keys that a column map names, `fits` looks at new keys. `seen` counts lines, `read_rows` those that are rows;
    `lines` are the numbers of the lines of all rows, `digests` those of all
    lines that were read here, `sorted` those of others.
    """

    singles: Singles
    asked: frozenset[str]
    tasks: Tasks
    fits: Callable[[Plan, tuple[str, ...]], None]
    table: RowTable = field(default_factory=RowTable)
    lines: array[int] = field(default_factory=lambda: array("I"))
    digests: bytearray = field(default_factory=bytearray)
    sorted: list[bytes] = field(default_factory=list)
    seen: int = 0
    read_rows: int = 0
    _plans: dict[tuple[str, ...], tuple[Plan, dict[str, Known | None]]] = field(default_factory=dict)
    _known: int = 0
    _form: Lines | None = None
    _marks: KnownLines = field(default_factory=KnownLines)

    @property
    def plans(self) -> Sequence[tuple[str, ...]]:
        """The keys that rows were found with, each time together."""
        return list(self._plans)

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
            run = _run_of(block, before)
            self.digests += digests_of(run.lines)
            heads = min(passed, len(run.lines))
            for at in range(heads):
                self._value(run, at)
            self.seen += len(run.lines)
            self.read_rows += len(run.lines) - heads
            passed -= heads
            self._take(run.part(heads, len(run.lines)))

    def take(self, told: Told) -> None:
        """What another process read of the lines that follow. UnusualError: it is not for this road, or not with these lines."""
        if told.unusual:
            raise UnusualError("a line that is no row")
        for keys in told.plans:
            self._planned(keys)
        self.singles.take(told)
        kinds = self.singles.kinds.numbered(told.kinds)
        tasks = self.tasks.taken(told.tasks)
        while told.rows:
            rows, lines = told.rows.pop(0)
            of_kind, of_task = (
                array("i", map(names.__getitem__, some)) for names, some in ((kinds, rows.kinds), (tasks, rows.tasks))
            )
            self.table.extend(of_kind, of_task, rows.repeats, rows.numbers, rows.offsets)
            self.lines.extend(lines)
        self.sorted.append(told.digests)
        self.seen += told.seen
        self.read_rows += told.seen

    def distinct(self) -> None:
        """All lines are read now. UnusualError: two rows have one key."""
        self.table.tasks = self.tasks.named()
        table, attempts = self.table, [one.key.attempt for one in self.singles.kinds.rows]
        places = [task * FARTHEST + repeat for task, repeat in zip(table.task, table.repeat, strict=True)]
        if len({*attempts}) > 1:
            places = [place * FARTHEST + attempts[kind] for place, kind in zip(places, table.kind, strict=True)]
        if all(map(lt, places, places[1:])):
            return
        places.sort()
        if any(one == other for one, other in pairwise(places)):
            raise UnusualError("two rows have one key")

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
        at = 0
        while self._form is None and at < len(run.lines):
            self._by_value(run, at)
            at += 1
        rest = run.part(at, len(run.lines))
        if not rest.lines or self._form is None:
            return
        try:
            self._at_once(rest, self._form)
        except OddLinesError as found:
            begin = 0
            for odd in (*found.odd, len(rest.lines)):
                if begin < odd:
                    self._take(rest.part(begin, odd))
                if odd < len(rest.lines):
                    self._by_value(rest, odd)
                begin = odd + 1

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
        self._extend(run, *columns)

    def _extend(
        self,
        run: Run,
        kinds: Numbers,
        names: Sequence[str],
        repeats: Numbers,
        offsets: Numbers,
        lines: Numbers,
        *numbers: Numbers,
    ) -> None:
        """More rows. OddLinesError: some of their tasks cannot be keys as they stand."""
        table, tasks = self.table, self.tasks.numbered(names)
        if None in tasks:
            raise OddLinesError([line - run.number for line, one in zip(lines, tasks, strict=True) if one is None])
        table.extend(
            packed(table.kind, kinds),
            packed(table.task, tasks),  # type: ignore[arg-type]
            packed(table.repeat, repeats),
            list(map(packed, table.numbers, numbers)),
            packed(table.offsets, offsets),
        )
        self.lines.extend(lines)

    def _marked(self, cut: Cut) -> Sequence[Any]:
        """Marks with what of the place of their task is part of the kind."""
        places = self.tasks.places(cut.tasks)
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
                self._marks.learn(mark, self._first(run, at, form.form), form.quotes(cut.rows[at]))
            ids = list(map(self._marks.number, marks))
        if ALONE in ids:
            raise OddLinesError([at for at, one in enumerate(ids) if one == ALONE])
        return ids  # type: ignore[return-value]

    def _first(self, run: Run, at: int, form: Form) -> Known | None:
        """What a line says of all that are marked as it is; None where it stands for itself, or is not of this form at all."""
        value = self._value(run, at)
        plan, _ = self._planned(tuple(value))
        told = _told(plan, value)
        if told is None or form.grown(plan, value) is not form:
            return None
        return self.singles.known(run.number + at, _sha(run.lines[at]), value, plan, told)

    def _value(self, run: Run, at: int) -> dict[str, Any]:
        """A line as JSON. UnusualError: it is no row."""
        line = run.lines[at]
        value, _ = read(line, "decimal")
        if value.__class__ is not dict or len(line) > LINE_BYTES_MAX:
            raise UnusualError(f"line {run.number + at} is no plain row")
        found: dict[str, Any] = value
        return found

    def _by_value(self, run: Run, at: int) -> None:
        """A line that is read as JSON. UnusualError: it is no row."""
        value = self._value(run, at)
        plan, known = self._planned(tuple(value))
        form = (self._form.form if self._form else Form()).grown(plan, value)
        if form is not None and (self._form is None or form is not self._form.form):
            self._form, self._marks = Lines(form), KnownLines()
        if not self.singles.chosen(value):
            return
        mark, told, found = self._mark(plan, value), _told(plan, value) or (), None
        if mark is not None and mark in known:
            found = known[mark]
        elif mark is not None:
            found = self.singles.known(run.number + at, _sha(run.lines[at]), value, plan, told)
            if self._known < MOST_KNOWN:
                known[mark] = found
                self._known += 1
        if found is None:
            self._alone(run, at, value)
            return
        task, repeat = value[plan.task], value.get(plan.repeat) if plan.repeat else 1
        self._add(run, at, self.tasks.other(task), repeat, found.kind, _filled(found, told))  # type: ignore[arg-type]

    def _mark(self, plan: Plan, value: Mapping[str, Any]) -> str | None:
        """What rows that are alike have in common, beside their keys; None where this one stands for itself alone."""
        name = value.get(plan.task) if plan.task else None
        (task,) = self.tasks.numbered((name,)) if isinstance(name, str) else (None,)
        repeat = value.get(plan.repeat) if plan.repeat else 1
        told = _told(plan, value)
        if plan.alone or task is None or told is None or type(repeat) is not int or not 0 < repeat < FARTHEST:
            return None
        classes = [int(one > 0) if isinstance(one, int) else one for one in told]
        mark = repr((self.tasks.places((name,)), classes, [value[key] for key in plan.kind]))  # type: ignore[arg-type]
        return mark if len(mark) < LONG else hashlib.sha256(mark.encode("utf-8", "surrogatepass")).hexdigest()

    def _planned(self, keys: tuple[str, ...]) -> tuple[Plan, dict[str, Known | None]]:
        if keys not in self._plans:
            shape = self.singles.reading.shape
            plan = plan_of(keys, shape.renames, self.singles.reading.only, self.asked)
            self.fits(plan, keys)
            self._plans[keys] = plan, {}
        return self._plans[keys]

    def _alone(self, run: Run, at: int, value: Mapping[str, Any]) -> None:
        """A row that is read in full."""
        row = self.singles.read(run.number + at, _sha(run.lines[at]), value)
        if row is not None:
            number = self.tasks.other(row.key.task_id)
            self._add(run, at, number, row.key.repeat, self.singles.number(row), numbers_of(row))

    def _add(self, run: Run, at: int, task: int, repeat: int, kind: int, numbers: Sequence[int]) -> None:
        self.table.extend((kind,), (task,), (repeat,), [(one,) for one in numbers], (run.offsets[at],))
        self.lines.append(run.number + at)


def _run_of(block: RawBlock | RawLine, before: int) -> Run:
    """The lines of a block, without a carriage return at their ends. UnusualError: there is another one in them."""
    lines, text = ([block.raw], block.raw) if isinstance(block, RawLine) else (block.lines, block.text)
    offsets = list(map(add, accumulate(map(len, lines), initial=block.offset), range(len(lines))))
    if b"\r" in text:
        lines = [one.removesuffix(b"\r") for one in lines]
        if any(b"\r" in one for one in lines):
            raise UnusualError("a carriage return within a line")
    return Run(before + block.number, offsets, lines)


def _sha(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _filled(known: Known, told: Sequence[int | str | None]) -> Sequence[int]:
    """The numbers of a row: those of its kind, and its own."""
    numbers = list(known.numbers)
    for place, at in known.opened:
        numbers[place] = told[at]  # type: ignore[assignment]
    return numbers


def _told(plan: Plan, value: Mapping[str, object]) -> list[int | str | None] | None:
    """What stands beside the kind; nothing where one of them can only be read with the whole row. A null stays null."""
    told: list[int | str | None] = []
    for key, _, number in plan.opened:
        one = value[key]
        found = None if one is None else number(one)
        if found is None and one is not None:
            return None
        told.append(found)
    return told
