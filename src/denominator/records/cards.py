"""The published result of a run: counts first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from denominator.records.estimates import Estimate
from denominator.records.findings import Verdict
from denominator.records.replays import Replay
from denominator.records.seeds import Seeds
from denominator.records.values import NotMeasured
from denominator.records.words import SHOWS_FALSE_PASS

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlLine:
    """One control and how it came out."""

    name: str
    task_id: str
    state: str
    why: str


def could_show_false_pass(controls: Iterable[ControlLine]) -> tuple[int, int]:
    """(violated, judged) controls that could have shown a false pass. Repeats of one control task are one control.

    A task is violated by any of its draws, and judged only when all of them came to a verdict: repeats of a task that the
    grader says no to are not so many proofs that it can.
    """
    states: dict[tuple[str, str], set[str]] = {}
    for one in controls:
        if one.name in SHOWS_FALSE_PASS:
            states.setdefault((one.name, one.task_id), set()).add(one.state)
    violated = sum("violated" in found for found in states.values())
    return violated, violated + sum(found == {"held"} for found in states.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumLine:
    """One stratum of the solvable slice: how many declared, how many of them scoreable, and its exits."""

    name: str
    declared: int
    scoreable: int
    exits: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleLine:
    """How many rows people decided, over all slices; `changed` of them are now other than the rules said.

    `disputed` names rows on which the rules' label stands although a person says otherwise. `labels_digest` is of every
    label of people that was there.
    """

    labelers: int = 0
    decided: int = 0
    changed: int = 0
    adjudicated: int = 0
    disputed: tuple[str, ...] = ()
    labels_digest: str = ""


UNREVIEWED = PeopleLine()


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Everything a card shows. A withheld number is absent here too: its place says what withholds it.

    `house` names the gate rules that the house added (code, name@version, digest).
    `meant` is the sentence that the result was to support, written before the run; `scorer_green` counts draws whose
    tests were green, passes or not. `replays` are later runs under the same seal, absent where the split is hidden.
    """

    schema_version: int
    run_id: str
    version: str
    origin: str
    seal_digest: str
    pack: str
    pack_digest: str
    pack_reason: str
    arm: str
    question: str
    scorer: str
    budgets: Mapping[str, str]
    environment: Mapping[str, str]
    rules_digest: str
    declared: int | NotMeasured
    equation: Counts | NotMeasured
    equation_all: Counts | NotMeasured
    never_started: tuple[str, ...]
    reasons: Counts
    origins: Counts | NotMeasured
    classes: Counts | NotMeasured
    mix: Counts | NotMeasured
    tags: Counts
    controls: tuple[ControlLine, ...]
    strata: tuple[StratumLine, ...]
    estimates: tuple[Estimate, ...]
    grading_levels: Counts
    stamps: tuple[str, ...]
    notes: tuple[str, ...]
    verdict: Verdict
    advice: tuple[str, ...] = ()
    meant: str = ""
    scorer_green: int | NotMeasured = NotMeasured("not counted")
    people: PeopleLine = UNREVIEWED
    seeds: Seeds = NotMeasured("not compared")
    limits: tuple[str, ...] = ()
    house: tuple[str, ...] = ()
    replays: tuple[Replay, ...] = ()
