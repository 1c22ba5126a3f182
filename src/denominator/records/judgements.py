"""What judging makes of a ledger: draws with their exits, what metrics and gate rules read, and the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from denominator.records.cards import ControlLine
from denominator.records.draws import Draws, Holds, alike, counted, placed, where
from denominator.records.draws import JudgedDraw as JudgedDraw
from denominator.records.estimates import Estimate
from denominator.records.findings import Finding, Verdict
from denominator.records.labels import Label
from denominator.records.reviews import NOBODY, PeopleWork
from denominator.records.rows import AttemptRow, Count, Defect, Ledger
from denominator.records.seals import Terms
from denominator.records.seeds import Seeds
from denominator.records.values import NotMeasured

NEVER_STARTED = "never_started"
UNKNOWN = "unknown"
SCORED = ("pass", "fail", "abstain")
"""Exits that say what the solution was worth."""
EXITS = (*SCORED, "unscoreable", NEVER_STARTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Everything that metrics and gate rules may read. Pure data.

    `declared_n` counts draws of all slices. `unnamed` draws were declared by number only and have no row: nobody knows
    their ids; they count as never started in the solvable slice. Where a slice may be named, "" means all of them.
    `like_rows` are rows by kind with how many they are, where the ledger is held so.
    """

    ledger: Ledger
    terms: Terms
    draws: Draws
    declared_n: int | NotMeasured
    unnamed: int
    labels: tuple[Label, ...]
    controls: tuple[ControlLine, ...]
    defects: tuple[Defect, ...]
    estimates: tuple[Estimate, ...] = ()
    seeds: Seeds = NotMeasured("not compared")
    people: PeopleWork = NOBODY
    like_rows: tuple[tuple[AttemptRow, int], ...] = ()

    def of_slice(self, name: str) -> Draws:
        """The draws of one slice, one by one: slow where there are a million; `alike` and `placed` are not."""
        return where(self.draws, lambda draw: draw.slice == name)

    def where(self, holds: Holds, slice_: str = "solvable") -> Draws:
        """The draws of one slice for which something holds. `holds` reads no place and no number: not task, not tokens."""
        return where(self.draws, _both(holds, slice_))

    def count(self, holds: Holds, slice_: str = "solvable") -> int:
        """How many those are."""
        return sum(many for draw, many in self.alike(slice_) if holds(draw))

    def alike(self, slice_: str = "") -> Iterable[tuple[JudgedDraw, int]]:
        """The draws of one slice (or of all) that differ in place and numbers only, with how many they are."""
        return ((draw, many) for draw, many in alike(self.draws) if not slice_ or draw.slice == slice_)

    def placed(self, holds: Holds = bool, slice_: str = "solvable") -> Iterator[tuple[str, int, JudgedDraw]]:
        """Task and repeat of such draws, each with a draw that is like it apart from place and numbers."""
        return placed(self.draws, _both(holds, slice_))

    def counted(self, number: str, holds: Holds = bool, slice_: str = "solvable") -> Iterator[tuple[str, Count]]:
        """Task and one number (`NUMBERS`) of the counting attempt of such draws, where they started."""
        return counted(self.draws, number, _both(holds, slice_))

    def rows(self) -> Iterable[tuple[AttemptRow, int]]:
        """Rows of the ledger, those that count nowhere included, that differ in place and numbers only, with how many."""
        return self.like_rows or ((row, 1) for row in self.ledger.rows)

    def solvable_n(self) -> int | NotMeasured:
        """Declared draws of the solvable slice: the denominator of the headline."""
        if isinstance(self.declared_n, NotMeasured):
            return self.declared_n
        return self.count(bool) + self.unnamed

    def estimate(self, metric: str) -> Estimate | None:
        """The estimate of one metric, if it was computed."""
        return next((one for one in self.estimates if one.metric == metric), None)


def _both(holds: Holds, slice_: str) -> Holds:
    return lambda draw: (not slice_ or draw.slice == slice_) and holds(draw)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The result of judging. `estimates` may be printed: what is withheld is not in them. `sheet` may not."""

    sheet: Sheet
    labels: tuple[Label, ...]
    estimates: tuple[Estimate, ...]
    findings: tuple[Finding, ...]
    verdict: Verdict
    controls: tuple[ControlLine, ...]
    defects: tuple[Defect, ...]
    split_hidden: bool = False

    def estimate(self, metric: str) -> Estimate | None:
        """The estimate of one metric as it may be printed, if it was computed."""
        return next((one for one in self.estimates if one.metric == metric), None)
