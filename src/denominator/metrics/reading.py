"""What metrics read of a sheet. Counts are asked of the sheet; per-row numbers are listed here and nowhere else, once.

Every access to a number that differs from row to row (tokens, milliseconds, bytes) is in `amounts`, `calls`,
`call_times` and `tally.py`; every access to the places of draws is in `exits`, `by_task` and `tasks_of`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from denominator.metrics.tally import Tally, tally
from denominator.records.families import family_named
from denominator.records.judgements import NEVER_STARTED, JudgedDraw, Sheet
from denominator.records.rows import Count
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured
from denominator.records.words import SHOWS_FALSE_PASS, Reason

SCORED = ("pass", "fail", "abstain")


@dataclass(frozen=True, slots=True)
class TaskExits:
    """The declared draws of one task: how many, how many passed, how many got no score (never started included).

    `first_passed`: is its first repeat a pass?
    """

    task: str
    draws: int
    passes: int
    unseen: int
    first_passed: bool = False


@dataclass(frozen=True, slots=True)
class Calls:
    """Model calls that were made for one task, and those of them that gave no valid answer, by class."""

    made: int
    invalid: int
    classes: Mapping[str, int]


class Reading:
    """A sheet as metrics read it. Lists that several of them need are made when first asked for, and kept."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    @property
    def terms(self) -> Terms:
        """What was sealed or declared."""
        return self.sheet.terms

    @cached_property
    def declared(self) -> int | NotMeasured:
        """Declared draws of the solvable slice."""
        return self.sheet.solvable_n()

    @cached_property
    def tasks(self) -> int | NotMeasured:
        """Declared tasks of the solvable slice."""
        if isinstance(self.sheet.declared_n, NotMeasured):
            return self.sheet.declared_n
        return len(self.exits) + self.sheet.unnamed

    def count(self, holds: Callable[[JudgedDraw], bool], slice_: str = "solvable") -> int:
        """How many draws of a slice something holds for."""
        return self.sheet.count(holds, slice_)

    @cached_property
    def passes(self) -> int:
        """Passes of the solvable slice."""
        return self.count(lambda draw: draw.exit == "pass")

    @cached_property
    def unseen(self) -> int:
        """Declared draws of the solvable slice that got no score, those without a row included."""
        return self.count(lambda draw: draw.exit not in SCORED) + self.sheet.unnamed

    @cached_property
    def exits(self) -> tuple[TaskExits, ...]:
        """The solvable slice task by task."""
        return exits(self.sheet)

    @cached_property
    def families(self) -> Mapping[str, str]:
        """The family of every task that has one: the sealed one, else what a row of it names."""
        found: dict[str, str] = {}
        if any(family_named(draw.row) for draw, _ in self.sheet.alike("solvable")):
            for task, _, draw in self.sheet.placed(lambda one: bool(family_named(one.row))):
                found.setdefault(task, family_named(draw.row))
        return {**found, **{task: name for task, name in self.terms.families if name}}

    @cached_property
    def even(self) -> bool:
        """Has every declared task all its repeats, and are there two tasks at least?"""
        return not self.sheet.unnamed and len(self.exits) > 1 and self._same_repeats()

    @cached_property
    def one_run(self) -> NotMeasured | None:
        """Why nothing is known of a second run of the same tasks, if nothing is."""
        if isinstance(self.declared, NotMeasured):
            return self.declared
        if self.terms.repeats <= 1:
            return NotMeasured("one repeat cannot show how much repeats differ")
        if not self.exits:
            return NotMeasured("there is no task")
        uneven = self.sheet.unnamed or not self._same_repeats()
        return NotMeasured("repeats are uneven, so no two repeats are alike") if uneven else None

    def _same_repeats(self) -> bool:
        return all(one.draws == self.terms.repeats for one in self.exits)

    def by_task(self, holds: Callable[[JudgedDraw], bool]) -> list[int]:
        """For how many of its draws something holds, task by task in the order of `exits`."""
        found = dict.fromkeys((one.task for one in self.exits), 0)
        for task, _, _ in self.sheet.placed(holds):
            found[task] += 1
        return list(found.values())

    @cached_property
    def tally(self) -> Tally:
        """Tokens and acceptance over all attempts of the solvable slice."""
        return tally(self.sheet)

    def along(self, counts: Mapping[str, int]) -> list[int]:
        """Counts by task in the order of `exits`, 0 for a task that has none."""
        return [counts.get(one.task, 0) for one in self.exits]

    @cached_property
    def cut_off(self) -> int:
        """Declared draws that did not get their attempts: a cap or a spent account cut them, or nothing started.

        A draw that the envelope allows to stay away does not count.
        """
        allowed = frozenset(self.terms.never_started_allowed)
        away = self.sheet.placed(lambda draw: draw.exit == NEVER_STARTED)
        return (
            sum(task not in allowed for task, _, _ in away)
            + self.sheet.unnamed
            + self.count(lambda draw: draw.exit != NEVER_STARTED and _capped(draw))
        )

    @cached_property
    def calls(self) -> Mapping[str, Calls] | NotMeasured:
        """Calls by task, all slices; unknown as soon as one attempt did not record how many it made."""
        return calls(self.sheet)

    @cached_property
    def calls_made(self) -> int | NotMeasured:
        """Calls that were really made, all slices."""
        return self.calls if isinstance(self.calls, NotMeasured) else sum(one.made for one in self.calls.values())

    @cached_property
    def all_tasks(self) -> tuple[int | NotMeasured, str]:
        """Tasks of all slices and what they are: declared ones, or those with an attempt where nobody declared any."""
        if isinstance(self.sheet.declared_n, NotMeasured):
            return len(tasks_of(self.sheet, lambda draw: bool(draw.tries))), "tasks with an attempt"
        return len(tasks_of(self.sheet, lambda _: True)) + self.sheet.unnamed, "declared tasks"

    @cached_property
    def call_times(self) -> Mapping[str, list[Count]]:
        """Milliseconds of every valid model call, by task, all slices."""
        return call_times(self.sheet)


def may_not_pass(draw: JudgedDraw) -> bool:
    """Is a pass of this control draw wrong? Controls that have to stay green are in no rate of passes or abstentions."""
    return not draw.control or draw.control in SHOWS_FALSE_PASS


def _capped(draw: JudgedDraw) -> bool:
    return draw.reason == Reason.QUOTA_EXHAUSTED or any(row.run_cap_cut for row in draw.tries)


def exits(sheet: Sheet) -> tuple[TaskExits, ...]:
    """Declared draws of the solvable slice by task, in the order of the sheet."""
    found: dict[str, list[int]] = {}
    for task, repeat, draw in sheet.placed(lambda _: True):
        counts = found.setdefault(task, [0, 0, 0, 0])
        counts[0] += 1
        counts[1] += draw.exit == "pass"
        counts[2] += draw.exit not in SCORED
        counts[3] += draw.exit == "pass" and repeat == 1
    return tuple(TaskExits(task, n, passes, lost, first > 0) for task, (n, passes, lost, first) in found.items())


def tasks_of(sheet: Sheet, holds: Callable[[JudgedDraw], bool]) -> frozenset[str]:
    """Tasks of all slices with a draw for which something holds."""
    return frozenset(task for slice_ in slices(sheet) for task, _, _ in sheet.placed(holds, slice_))


def slices(sheet: Sheet) -> tuple[str, ...]:
    """The slices that have draws."""
    return tuple(sorted({draw.slice for draw, _ in sheet.alike()}))


def amounts(sheet: Sheet, number: str, holds: Callable[[JudgedDraw], bool]) -> Mapping[str, Sequence[Count]]:
    """A number of the counting attempt, by task, of the started solvable draws for which something holds."""
    found: dict[str, array[int] | list[Count]] = {}
    for task, value in sheet.counted(number, holds):
        column = found.get(task)
        if column is None:
            column = found[task] = array("q")
        try:
            column.append(value)  # type: ignore[arg-type]
        except (TypeError, OverflowError):
            found[task] = [*column, value]
    return found


def call_times(sheet: Sheet) -> Mapping[str, list[Count]]:
    """How long each call took that got a valid answer, in milliseconds, by task."""
    found: dict[str, list[Count]] = {}
    for call in sheet.ledger.calls:
        if call.outcome == "ok" and call.sent is not False and call.purpose == "solve":
            found.setdefault(call.key.task_id, []).append(call.last_byte_ms)
    return found


def calls(sheet: Sheet) -> Mapping[str, Calls] | NotMeasured:
    """Calls made and calls that gave no valid answer, by task."""
    made: dict[str, int] = {}
    classes: dict[str, dict[str, int]] = {}
    for task, _, draw, numbers in sheet.tried(("usage.calls",), lambda one: bool(one.tries), ""):
        for row, (count,) in zip(draw.tries, numbers, strict=True):
            if isinstance(count, NotMeasured):
                return NotMeasured("calls were not recorded")
            made[task] = made.get(task, 0) + count
            if row.invalid_calls:
                _add_invalid(classes.setdefault(task, {}), row.invalid_calls)
    none: dict[str, int] = {}
    found = ((task, count, classes.get(task, none)) for task, count in made.items())
    return {task: Calls(count, sum(invalid.values()), invalid) for task, count, invalid in found}


def _add_invalid(classes: dict[str, int], invalid: Mapping[str, int]) -> None:
    for word, number in invalid.items():
        classes[call_class(word)] = classes.get(call_class(word), 0) + number


def call_class(word: str) -> str:
    """The class of an invalid call: rate_limited, server_error, other_4xx, no_answer, malformed."""
    status = word.removeprefix("http_")
    if word == status or not status.isdecimal():
        return word
    if status == "429":
        return "rate_limited"
    return {"5": "server_error", "4": "other_4xx", "0": "no_answer"}.get(status[:1], "malformed")
