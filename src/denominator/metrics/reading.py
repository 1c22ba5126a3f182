"""What metrics read of a sheet: counts of kinds, counts and sums by task, in columns that are made once.

Every access to a number that differs from row to row (tokens, milliseconds, bytes) is in `amounts.py`, `tally.py`,
`calls` and `call_times`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import gt

from denominator.metrics.amounts import Amounts, amounts, of_tasks
from denominator.metrics.tally import Tally, tally
from denominator.records.columns import Column, both
from denominator.records.draws import Holds
from denominator.records.families import family_named
from denominator.records.grouped import Grouped, grouped
from denominator.records.judgements import NEVER_STARTED, SCORED, JudgedDraw, Sheet
from denominator.records.rows import Count
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured
from denominator.records.words import SHOWS_FALSE_PASS, Reason


@dataclass(frozen=True, slots=True)
class Exits:
    """Declared draws task by task, in the order of the sheet: how many, how many passed, how many got no score.

    Never started draws are among the last.
    """

    draws: Column
    passes: Column
    unseen: Column

    def __len__(self) -> int:
        return len(self.draws)


@dataclass(frozen=True, slots=True)
class Calls:
    """Model calls of all slices: made, and without a valid answer, by class too. Tasks with one of the latter, tasks with a
    valid one."""

    made: int
    invalid: int
    classes: Mapping[str, int]
    touched: int
    valid: int


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
    def solvable(self) -> Grouped:
        """The declared draws of the solvable slice."""
        return grouped(self.sheet.draws, "solvable")

    @cached_property
    def everything(self) -> Grouped:
        """The declared draws of all slices."""
        return grouped(self.sheet.draws)

    @cached_property
    def exits(self) -> Exits:
        """The solvable slice task by task."""
        return Exits(
            self.solvable.sizes,
            self.by_task(lambda draw: draw.exit == "pass"),
            self.by_task(lambda draw: draw.exit not in SCORED),
        )

    @cached_property
    def first_passes(self) -> int:
        """Tasks of the solvable slice whose first repeat passed."""
        passed = self.solvable.flags(lambda draw: draw.exit == "pass")
        counts = self.solvable.counts(both(passed, self.solvable.work.equal(self.solvable.repeats(), 1)))
        return len(counts) - sum(map((0).__eq__, counts))

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
        return not self.exits or self.solvable.even == self.terms.repeats

    def by_task(self, holds: Holds) -> Column:
        """For how many of its draws something holds, task by task in the order of `exits`."""
        return self.solvable.counts(self.solvable.flags(holds))

    def amounts(self, number: str, holds: Holds) -> Amounts:
        """A number of the counting attempt of the started solvable draws for which something holds."""
        return amounts(self.solvable, number, holds)

    @cached_property
    def tally(self) -> Tally:
        """Tokens and acceptance over all attempts of the solvable slice."""
        return tally(self.solvable, self.terms.attempts)

    @cached_property
    def cut_off(self) -> int:
        """Declared draws that did not get their attempts: a cap or a spent account cut them, or nothing started.

        A draw that the envelope allows to stay away does not count.
        """
        allowed = frozenset(self.terms.never_started_allowed)
        away = self.sheet.placed(lambda draw: draw.exit == NEVER_STARTED)
        return sum(task not in allowed for task, _, _ in away) + self.sheet.unnamed + self.count(was_cut)

    @cached_property
    def calls(self) -> Calls | NotMeasured:
        """Calls of all slices; unknown as soon as one attempt did not record how many it made."""
        return calls(self.everything)

    @cached_property
    def calls_made(self) -> int | NotMeasured:
        """Calls that were really made, all slices."""
        return self.calls if isinstance(self.calls, NotMeasured) else self.calls.made

    @cached_property
    def all_tasks(self) -> tuple[int | NotMeasured, str]:
        """Tasks of all slices and what they are: declared ones, or those with an attempt where nobody declared any."""
        if isinstance(self.sheet.declared_n, NotMeasured):
            tried = self.everything.counts(self.everything.flags(lambda draw: bool(draw.tries)))
            return len(tried) - sum(map((0).__eq__, tried)), "tasks with an attempt"
        return len(self.everything.ends) + self.sheet.unnamed, "declared tasks"

    @cached_property
    def call_times(self) -> Amounts:
        """Milliseconds of every valid model call, by task, all slices."""
        return of_tasks(call_times(self.sheet))


def may_not_pass(draw: JudgedDraw) -> bool:
    """Is a pass of this control draw wrong? Controls that have to stay green are in no rate of passes or abstentions."""
    return not draw.control or draw.control in SHOWS_FALSE_PASS


def was_cut(draw: JudgedDraw) -> bool:
    """Did the run's cap or a spent account end a draw that had started?"""
    capped = draw.reason == Reason.QUOTA_EXHAUSTED or any(row.run_cap_cut for row in draw.tries)
    return capped and draw.exit != NEVER_STARTED


PLAYED = NotMeasured("played from a recording")


def call_times(sheet: Sheet) -> Mapping[str, list[Count]]:
    """How long each call took that got a valid answer, in milliseconds, by task.

    A call with a made fault is left out, and how long a recording took to answer is no time of the provider.
    """
    found: dict[str, list[Count]] = {}
    for call in sheet.ledger.calls:
        if call.outcome == "ok" and call.sent is not False and call.purpose == "solve" and not call.injected:
            found.setdefault(call.key.task_id, []).append(PLAYED if call.cassette else call.last_byte_ms)
    return found


def calls(draws: Grouped) -> Calls | NotMeasured:
    """Calls made and calls that gave no valid answer."""
    if draws.total(lambda draw: any(isinstance(row.usage.calls, NotMeasured) for row in draw.tries)):
        return NotMeasured("calls were not recorded")
    made = draws.sums_of_tries(draws.numbers("usage.calls"))
    lost = draws.each(_invalid)
    invalid = draws.sums(draws.work.of_codes(lost, draws.kind)) if any(lost) else bytes(len(made))
    classes: dict[str, int] = {}
    for draw, many in zip(draws.kinds, draws.how_many(), strict=True):
        for row in draw.tries:
            for word, number in row.invalid_calls.items():
                classes[call_class(word)] = classes.get(call_class(word), 0) + number * many
    return Calls(sum(made), sum(invalid), classes, sum(map((0).__lt__, invalid)), sum(map(gt, made, invalid)))


def _invalid(draw: JudgedDraw) -> int:
    return sum(sum(row.invalid_calls.values()) for row in draw.tries)


def call_class(word: str) -> str:
    """The class of an invalid call: rate_limited, server_error, other_4xx, no_answer, malformed."""
    status = word.removeprefix("http_")
    if word == status or not status.isdecimal():
        return word
    if status == "429":
        return "rate_limited"
    return {"5": "server_error", "4": "other_4xx", "0": "no_answer"}.get(status[:1], "malformed")
