"""What judging makes of a ledger: draws with their exits, what metrics and gate rules read, and the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from denominator.records.cards import ControlLine
from denominator.records.estimates import Estimate
from denominator.records.findings import Finding, Verdict
from denominator.records.keys import DrawKey
from denominator.records.labels import Label
from denominator.records.reviews import NOBODY, PeopleWork
from denominator.records.rows import AttemptRow, Defect, Ledger
from denominator.records.seals import Terms
from denominator.records.seeds import Seeds
from denominator.records.values import NotMeasured

NEVER_STARTED = "never_started"
UNKNOWN = "unknown"
EXITS = ("pass", "fail", "abstain", "unscoreable", NEVER_STARTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedDraw:
    """One declared draw and its one exit. `row` is the attempt that counts; `tries` are all its attempts, in order.

    `outcomes` says how each of the tries ended, in the same order; empty where that is unknown.
    """

    draw: DrawKey
    slice: str
    control: str
    stratum: str
    exit: str
    row: AttemptRow | None = None
    tries: tuple[AttemptRow, ...] = ()
    outcomes: tuple[str, ...] = ()
    origin: str = ""
    reason: str = ""
    failure_class: str = ""
    mix: str = ""
    tags: tuple[str, ...] = ()
    unknown_axes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Everything that metrics and gate rules may read. Pure data.

    `declared_n` counts draws of all slices. `unnamed` draws were declared by number only and have no row: nobody knows
    their ids; they count as never started in the solvable slice.
    """

    ledger: Ledger
    terms: Terms
    draws: tuple[JudgedDraw, ...]
    declared_n: int | NotMeasured
    unnamed: int
    labels: tuple[Label, ...]
    controls: tuple[ControlLine, ...]
    defects: tuple[Defect, ...]
    estimates: tuple[Estimate, ...] = ()
    seeds: Seeds = NotMeasured("not compared")
    people: PeopleWork = NOBODY

    def of_slice(self, name: str) -> tuple[JudgedDraw, ...]:
        """The draws of one slice."""
        return tuple(draw for draw in self.draws if draw.slice == name)

    def where(self, holds: Callable[[JudgedDraw], bool], slice_: str = "solvable") -> tuple[JudgedDraw, ...]:
        """The draws of one slice for which something holds. `holds` reads no place: not the task, not the repeat."""
        return tuple(draw for draw in self.draws if draw.slice == slice_ and holds(draw))

    def count(self, holds: Callable[[JudgedDraw], bool], slice_: str = "solvable") -> int:
        """How many those are."""
        return sum(draw.slice == slice_ and holds(draw) for draw in self.draws)

    def solvable_n(self) -> int | NotMeasured:
        """Declared draws of the solvable slice: the denominator of the headline."""
        if isinstance(self.declared_n, NotMeasured):
            return self.declared_n
        return len(self.of_slice("solvable")) + self.unnamed

    def estimate(self, metric: str) -> Estimate | None:
        """The estimate of one metric, if it was computed."""
        return next((one for one in self.estimates if one.metric == metric), None)


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
