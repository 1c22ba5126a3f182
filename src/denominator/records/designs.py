"""A design: how many tasks and repeats a difference takes, what it costs, and what it can never answer."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.values import NotMeasured

Number = str | NotMeasured
Count = int | NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One input of a plan and where it comes from: an option, a run, an envelope, or a convention."""

    name: str
    value: Number
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One size: `tasks` x `repeats` in each of two arms.

    `mdd` is the least difference found with the asked power over tasks like these, `mdd_these` on exactly these tasks
    (K > 1); `power` is that of the asked difference. `attempts` are of both arms together, `tokens` too.
    """

    tasks: int
    repeats: int
    mdd: Number
    mdd_these: Number
    power: Number
    attempts: int
    tokens: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Least:
    """The fewest tasks for what was asked at so many repeats, with their cost. `what` is difference or margin."""

    what: str
    repeats: int
    tasks: Count
    attempts: Count
    tokens: Count
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """The answer of `plan`. `refusals` say why the asked size cannot answer; with any of them nothing should be run."""

    given: tuple[Given, ...]
    cells: tuple[Cell, ...]
    least: tuple[Least, ...]
    asked: Cell | NotMeasured
    refusals: tuple[str, ...]
    estimands: tuple[str, ...]
    notes: tuple[str, ...]
    schema_version: int = 1
