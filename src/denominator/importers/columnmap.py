"""`columns.toml`: what the columns of a file of any shape mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from denominator.errors import InputError, Problem
from denominator.importers.columns import BY_NAME, Cells
from denominator.importers.judgements import NONE, OUTCOMES, Judgement
from denominator.importers.raw import RawRow
from denominator.importers.shapes.base import Shape
from denominator.importers.stated import Stated
from denominator.importers.values import scalar_text
from denominator.records.words import Outcome
from denominator.wire.toml import read_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A value of a condition column and the facts that it stands for (known column = value, as text)."""

    column: str
    value: str
    facts: Mapping[str, str]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMap:
    """A whole `columns.toml`. `columns` maps known columns to the file's own; `outcomes` its words to ours."""

    schema_version: int = 1
    name: str = ""
    columns: Mapping[str, str]
    outcome: str = ""
    outcomes: Mapping[str, str] = field(default_factory=dict)
    where: Mapping[str, str] = field(default_factory=dict)
    trial: str = ""
    run: str = ""
    meaning: tuple[Meaning, ...] = ()
    notes: tuple[str, ...] = ()


def read_column_map(text: str, where: str) -> ColumnMap:
    """Read and check a column map; all mistakes at once."""
    found = read_toml(ColumnMap, text, where)
    problems = [*_column_problems(found, where), *_outcome_problems(found, where)]
    if problems:
        raise InputError("the column map cannot be used", where=where, problems=problems)
    return found


def _column_problems(found: ColumnMap, where: str) -> list[Problem]:
    known = {*BY_NAME}
    problems = [
        Problem(f"{where} columns.{name}", "is no column that we know", "docs/formats/rows.md lists them")
        for name in found.columns
        if name not in known
    ]
    problems += [
        Problem(f"{where} meaning", f"{fact} is no column that we know")
        for one in found.meaning
        for fact in one.facts
        if fact not in known
    ]
    if "task_id" not in found.columns:
        problems.append(Problem(f"{where} columns", "task_id is missing", 'add task_id = "the column with the id"'))
    return problems


def _outcome_problems(found: ColumnMap, where: str) -> list[Problem]:
    problems = []
    if bool(found.outcome) != bool(found.outcomes):
        problems.append(Problem(f"{where} outcome", "outcome and [outcomes] belong together"))
    for value, word in found.outcomes.items():
        outcome, _, reason = word.partition(":")
        if outcome not in OUTCOMES or (outcome == Outcome.UNSCOREABLE) != bool(reason):
            fix = 'pass, fail, abstain or "unscoreable:REASON"'
            problems.append(Problem(f"{where} outcomes.{value}", f"{word!r} is no outcome", fix))
    return problems


def with_where(column_map: ColumnMap, where: Mapping[str, str]) -> ColumnMap:
    """The map with more conditions on the rows."""
    return replace(column_map, where={**column_map.where, **where})


def chosen(rows: Sequence[RawRow], where: Mapping[str, str]) -> tuple[RawRow, ...]:
    """The rows in which every named column holds the named value."""
    return tuple(row for row in rows if all(scalar_text(row.value.get(k)) == v for k, v in where.items()))


def mapped_shape(column_map: ColumnMap) -> Shape:
    """The shape that a column map makes of a file."""

    def judge(cells: Cells) -> Judgement:
        if not column_map.outcome:
            return NONE
        value = scalar_text(cells.raw.value.get(column_map.outcome))
        if value not in column_map.outcomes:
            what = f"{column_map.outcome}: {value[:40]!r} is in no line of [outcomes]"
            return Judgement(problem=what, kind="unknown_outcome")
        outcome, _, reason = column_map.outcomes[value].partition(":")
        return Judgement(outcome, reason, "", column_map.outcome)

    def prepare(rows: Sequence[RawRow], _stated: Stated) -> tuple[RawRow, ...]:
        rows = tuple(_with_facts(column_map, row) for row in rows)
        return _number_trials(column_map, rows) if column_map.trial else rows

    return Shape(
        name="mapped",
        method=column_map.name or "column map",
        what="any rows, read through a column map",
        example="",
        signs=frozenset({column_map.columns["task_id"]}),
        judge=judge,
        judges=column_map.outcome,
        renames={own: name for name, own in column_map.columns.items()},
        prepare=prepare,
    )


def _with_facts(column_map: ColumnMap, row: RawRow) -> RawRow:
    """Facts that a condition column stands for, as columns of their own."""
    facts: dict[str, object] = {}
    for one in column_map.meaning:
        if scalar_text(row.value.get(one.column)) == one.value:
            facts.update({name: _typed(text) for name, text in one.facts.items()})
    return row.with_values(**facts) if facts else row


def _typed(text: str) -> object:
    return {"true": True, "false": False}.get(text, text)


def readable(column_map: ColumnMap) -> frozenset[str]:
    """Known columns that a mapped row may hold beside the mapped ones; a column of the same name by chance is none."""
    facts = {name for one in column_map.meaning for name in one.facts}
    return frozenset(facts | ({"repeat"} if column_map.trial else set()))


def _number_trials(column_map: ColumnMap, rows: Sequence[RawRow]) -> tuple[RawRow, ...]:
    """Trials of one task are its repeats, in the order of the file; a trial id that returns keeps its number."""
    own, numbers = column_map.columns["task_id"], {}
    counted: dict[str, int] = {}
    numbered = []
    for row in rows:
        task, trial = scalar_text(row.value.get(own)), scalar_text(row.value.get(column_map.trial))
        if (task, trial) not in numbers:
            counted[task] = counted.get(task, 0) + 1
            numbers[task, trial] = counted[task]
        numbered.append(row.with_values(repeat=numbers[task, trial]))
    return tuple(numbered)
