"""What a report of a run shows beside its card: where each draw ended, what was spent, and every attempt that did not pass.

A withheld number is absent here too: where the split of passes and fails is hidden, no mark and no story tells it.
"""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.cards import Card
from denominator.records.companions import NOTHING, Companions
from denominator.records.findings import Waiver
from denominator.records.labelled import LabelledRow, TriedRule
from denominator.records.values import NotMeasured

Marks = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A stored text, or the part of it that was read: `left_out` bytes are missing at its `cut` side (start or end).

    `blob` is the digest of the whole.
    """

    name: str
    text: str
    left_out: int = 0
    cut: str = "end"
    blob: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One attempt that did not pass, or that a control judged wrong: its row, every rule that was asked, what it left."""

    row: LabelledRow
    tried: tuple[TriedRule, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Untold:
    """Attempts of one kind that have no story here: how they ended, how many, and the names of some."""

    kind: str
    count: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What the run itself had to survive, over its rows of all slices.

    `carried_on` attempts were begun by one incarnation and ended by a later one; `further` are second and later attempts
    of a draw. `defects` counts what is wrong with the rows, by kind.
    """

    attempts: int = 0
    started: int = 0
    closed: int = 0
    carried_on: int = 0
    further: int = 0
    run_cap_cut: int = 0
    defects: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePage:
    """The page of one gate rule, as `explain` prints it."""

    code: str
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything on the page of one run. `marks` has (task, a letter a repeat) as in `records.spreads`.

    `hidden` counts attempts that are not shown because they would tell passes from fails. `quoted` says why nothing could
    be read of what attempts left, or is empty. `name` is what a command line calls the run.
    """

    card: Card
    name: str
    marks: Marks | NotMeasured
    facts: RunFacts
    beside: Companions = NOTHING
    pages: tuple[GatePage, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    stories: tuple[Story, ...] = ()
    untold: tuple[Untold, ...] = ()
    hidden: int = 0
    quoted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairMarks:
    """Marks of two arms over the tasks that both have: (task, marks of the first, marks of the second)."""

    rows: tuple[tuple[str, str, str], ...] = ()
