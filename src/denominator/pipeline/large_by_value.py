"""Rows of a long file that are read as JSON, one by one, and what is known of those like them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from denominator.pipeline.large_columns import Plan, plan_of
from denominator.pipeline.large_forms import Form
from denominator.pipeline.large_lines import FARTHEST, OddLinesError
from denominator.pipeline.large_run import Run
from denominator.pipeline.large_single import LEFT, Known, Singles
from denominator.pipeline.large_tasks import Tasks
from denominator.pipeline.row_kinds import numbers_of

MOST_KNOWN = 50_000
"""Kinds of lines that are remembered; rows of later ones are read one by one."""
LONG = 400


class Row(NamedTuple):
    """A row: its task, its repeat, the number of its kind, and its numbers."""

    task: str
    repeat: int
    kind: int
    numbers: Sequence[int]


@dataclass(slots=True)
class ByValue:
    """Reads single rows. `asked` are keys that somebody names, `fits` looks at new keys."""

    singles: Singles
    tasks: Tasks
    asked: frozenset[str]
    fits: Callable[[Plan, tuple[str, ...]], None]
    _plans: dict[tuple[str, ...], tuple[Plan, dict[str, Known | None]]] = field(default_factory=dict)
    _known: int = 0

    @property
    def keys(self) -> Sequence[tuple[str, ...]]:
        """The keys that rows were found with, each time together."""
        return list(self._plans)

    def plan(self, keys: tuple[str, ...]) -> Plan:
        """How rows with these keys are read. UnusualError: not on this road."""
        return self._planned(keys)[0]

    def first(self, run: Run, at: int, form: Form) -> Known | None:
        """What a line says of all that are marked as it is; None where it stands for itself, or is not of this form at all.

        OddLinesError: it says nothing of the others, because its task is no key as it stands.
        """
        value = run.value(at)
        plan, told = self.plan(tuple(value)), None
        if not self.singles.chosen(value):
            return LEFT
        if form.grown(plan, value) is form:
            told = _told(plan, value)
        if told is None:
            return None
        mark = self._mark(plan, value, told)
        if mark is None:
            raise OddLinesError([at])
        return self._known_as(mark, run, at, value, plan, told)

    def row(self, run: Run, at: int, value: Mapping[str, Any]) -> Row | None:
        """A row of a line; None where it is none, or is not looked at."""
        if not self.singles.chosen(value):
            return None
        plan = self.plan(tuple(value))
        told = _told(plan, value)
        mark = None if told is None else self._mark(plan, value, told)
        found = None if mark is None or told is None else self._known_as(mark, run, at, value, plan, told)
        if found is None or told is None:
            return self._alone(run, at, value)
        repeat: int = value[plan.repeat] if plan.repeat else 1
        return Row(value[plan.task], repeat, found.kind, _filled(found, told))

    def _known_as(
        self, mark: str, run: Run, at: int, value: Mapping[str, Any], plan: Plan, told: Sequence[Any]
    ) -> Known | None:
        """What is known of rows with a mark, of which this one is the first where it is new."""
        known = self._planned(tuple(value))[1]
        if mark in known:
            return known[mark]
        found = self.singles.known(run.number + at, run.sha(at), value, plan, told)
        if self._known < MOST_KNOWN:
            known[mark] = found
            self._known += 1
        return found

    def _mark(self, plan: Plan, value: Mapping[str, Any], told: Sequence[object]) -> str | None:
        """What rows that are alike have in common, beside their keys; None where this one stands for itself alone."""
        name = value.get(plan.task) if plan.task else None
        (task,) = self.tasks.numbered((name,)) if isinstance(name, str) else (None,)
        repeat = value.get(plan.repeat) if plan.repeat else 1
        if plan.alone or task is None or type(repeat) is not int or not 0 < repeat < FARTHEST:
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

    def _alone(self, run: Run, at: int, value: Mapping[str, Any]) -> Row | None:
        """A row that is read in full."""
        row = self.singles.read(run.number + at, run.sha(at), value)
        if row is None:
            return None
        return Row(row.key.task_id, row.key.repeat, self.singles.number(row), numbers_of(row))


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
