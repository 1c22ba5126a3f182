"""Is what came back an answer to this sheet? Every mistake of a file in one pass; nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from denominator.errors import Problem
from denominator.records.keys import AttemptKey
from denominator.records.reviews import AskedRow, ReviewCopy, ReviewSheet
from denominator.records.words import Axis, Origin
from denominator.review.answers import Line
from denominator.review.cells import same_cell
from denominator.wire.reading import nearest


@dataclass(frozen=True, slots=True)
class Answer:
    """One checked answer: a value along one axis of one row. `line` is its place in the file."""

    key: AttemptKey
    axis: str
    value: str
    why: str
    line: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What a file holds: answers, how many questions stay open, what is wrong with it. `copy` is whose copy it is."""

    answers: tuple[Answer, ...]
    open: int
    problems: tuple[Problem, ...]
    copy: str = ""


def check(lines: Sequence[Line], sheet: ReviewSheet, where: str) -> Checked:
    """Check the lines of one file against the sheet that they belong to."""
    file = _File(sheet, where)
    names = sorted({line.copy for line in lines})
    copy = next((one for one in sheet.copies if [one.name] == names), None)
    if copy is None:
        file.wrong_copies(lines, [name for name in names if name])
    for line in lines:
        file.take(line)
    file.origins_and_reasons()
    asked = sum(len(one.axes) for one in sheet.rows)
    answers = tuple(file.answers[place] for place in sorted(file.answers))
    return Checked(answers, asked - len(answers), tuple(file.problems), copy.name if copy else "")


class _File:
    """One file while it is checked."""

    def __init__(self, sheet: ReviewSheet, where: str) -> None:
        self.sheet = sheet
        self.where = where
        self.rows = {one.row: one for one in sheet.rows}
        self.answers: dict[tuple[AttemptKey, str], Answer] = {}
        self.problems: list[Problem] = []

    def bad(self, line: int, what: str, fix: str = "") -> None:
        """Note a mistake."""
        self.problems.append(Problem(f"{self.where}:{line}" if line else self.where, what, fix))

    def wrong_copies(self, lines: Iterable[Line], names: Sequence[str]) -> None:
        """Lines without a copy's name, and files that are more than one copy or none of this sheet."""
        for line in lines:
            if not line.copy:
                self.bad(line.number, "names no copy", "leave the column copy as it was")
        known = {one.name for one in self.sheet.copies}
        if len(names) > 1 or not known.issuperset(names):
            self.bad(0, f"copy {', '.join(names)[:60]}: a file is one copy of {_names(self.sheet.copies)}")

    def take(self, line: Line) -> None:
        """One line: unfilled, an answer, or a mistake."""
        row = self.rows.get(line.row)
        if not line.sheet:
            self.bad(line.number, "names no sheet", "leave the column sheet as it was")
        elif line.sheet != self.sheet.id:
            self.bad(line.number, f"belongs to another sheet ({line.sheet[:12]})")
        elif row is None:
            self.bad(line.number, f"no row of this sheet is called {line.row[:40]!r}")
        elif line.axis not in row.axes:
            self.bad(line.number, f"axis {line.axis[:40]!r} is not asked of this row", f"asked: {', '.join(row.axes)}")
        elif changed := _changed(row, line.shown):
            self.bad(line.number, changed, "the row column names the row: leave its other columns as they are")
        elif line.value:
            self.fill(row, line)
        elif line.why:
            self.bad(line.number, "there is a why and no value", "fill both or neither")

    def fill(self, row: AskedRow, line: Line) -> None:
        """A filled line."""
        allowed = {value.casefold(): value for value in self.sheet.allowed[line.axis]}
        value = allowed.get(line.value.casefold())
        if value is None:
            what = f"{line.value[:40]!r} is no value of {line.axis}"
            self.bad(line.number, what, nearest(line.value.upper(), allowed.values()) or _listed(allowed))
        elif (row.key, line.axis) in self.answers:
            first = self.answers[row.key, line.axis].line
            self.bad(line.number, f"{line.axis} of {row.key.task_id} is filled in line {first} already")
        else:
            if line.axis == Axis.ORIGIN and value != Origin.MODEL and not line.why:
                self.bad(line.number, f"{value} needs a why: what shows that it was not the model's?")
            self.answers[row.key, line.axis] = Answer(row.key, line.axis, value, line.why, line.number)

    def origins_and_reasons(self) -> None:
        """Somebody else's ending needs a reason, the model's has none."""
        for one in self.sheet.rows:
            origin = self.answers.get((one.key, str(Axis.ORIGIN)))
            reason = self.answers.get((one.key, str(Axis.REASON)))
            if origin is None:
                continue
            if origin.value == Origin.MODEL and reason is not None:
                self.bad(reason.line, f"{one.key.task_id} is the model's, so it has no reason")
            if origin.value != Origin.MODEL and reason is None:
                what = f"{one.key.task_id} is {origin.value}, and its reason is not filled in"
                self.bad(origin.line, what, "fill the line of axis reason of the same row")


def _changed(row: AskedRow, shown: Iterable[tuple[str, str]]) -> str:
    """Which cell of the key is not as it was written, or nothing."""
    key = row.key
    wrote: Mapping[str, str] = {"task": key.task_id, "repeat": str(key.repeat), "attempt": str(key.attempt)}
    for name, text in shown:
        if not same_cell(text, wrote[name]):
            return f"the key was changed: {name} was {wrote[name]!r:.60}, now {text!r:.60}"
    return ""


def _names(copies: Iterable[ReviewCopy]) -> str:
    return ", ".join(f"{one.name} (of {one.labeler})" if one.labeler else one.name for one in copies)


def _listed(allowed: Mapping[str, str]) -> str:
    return f"one of: {', '.join(allowed.values())}"
