"""What was measured beside a run: its fault bench, spend, endpoint probe and replays. None of it is part of its rate."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.cards import Card
from denominator.records.durability import DurabilityCard
from denominator.records.probe_results import EndpointFacts, Line, WindowLine
from denominator.records.replays import Replay
from denominator.records.spends import ArmSpend
from denominator.records.values import NotMeasured

NOT_RUN = NotMeasured("not run")
NO_FOLDER = NotMeasured("the folder of the probe was not given: its seal alone is known")


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchFound:
    """A scored fault bench: its card as its own gate left it, the version that made it, the tasks that it was made with."""

    card: DurabilityCard
    version: str = ""
    tasks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeFound:
    """An endpoint probe. `sealed`: the run was sealed with it. `begun` are the UTC starts of its windows.

    `windows` and `classes` (k of n by window, group and class) are there where its folder was; passes of a window that its
    own gate withholds are in neither.
    """

    name: str
    seal_sha256: str
    fixture_sha256: str
    model: str
    path: str
    client: str
    classifier: str
    sealed: bool
    begun: tuple[str, ...]
    missing: int
    facts: EndpointFacts
    sentences: tuple[str, ...] = ()
    windows: tuple[WindowLine, ...] | NotMeasured = NO_FOLDER
    classes: tuple[Line, ...] | NotMeasured = NO_FOLDER


@dataclass(frozen=True, slots=True, kw_only=True)
class Companions:
    """What exists beside one run, each with the id and digest of its own; what does not exist says so.

    `refused` tells what lay in the run's folder and is of something else, or what its own gate does not let out.
    """

    faultbench: tuple[BenchFound, ...] | NotMeasured = NOT_RUN
    spend: ArmSpend | NotMeasured = NOT_RUN
    probe: tuple[ProbeFound, ...] | NotMeasured = NOT_RUN
    replays: tuple[Replay, ...] | NotMeasured = NOT_RUN
    refused: tuple[str, ...] = ()


NOTHING = Companions()


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeCard(Card):
    """A card and what was measured beside its run. `card.json` and bundles hold the card alone: it follows from one journal."""

    beside: Companions = NOTHING
