"""What scoring makes of a fault bench or of a foreign journal: what rules and metrics read, and the card that comes out."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.cards import ControlLine
from denominator.records.estimates import Estimate
from denominator.records.faults import Trial
from denominator.records.findings import Finding, Verdict
from denominator.records.rows import Defect
from denominator.records.values import NotMeasured

NOT_STATED = "not stated"
"""`Trial.fault` of a foreign trial whose fault nobody states."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchTerms:
    """What was planned, by the manifest of a bench of ours (`bench`) or by what lies beside a foreign journal (`journal`).

    `digest` is the sha256 of the manifest as stored. `tasks` and `faults` are all that were planned, where that is stated.
    `version` is that of the program that made a bench.
    `faults` are those that the machine could make; `skipped` are the others of the plan, with why there is no trial of them.
    """

    origin: str
    name: str
    digest: str = ""
    pack: str = ""
    taskset_digest: str = ""
    runner: str = ""
    runner_digest: str = ""
    checkpoints: tuple[str, ...]
    tasks: tuple[str, ...] | NotMeasured
    faults: tuple[str, ...] | NotMeasured
    repeats: int = 1
    seed: int | NotMeasured = NotMeasured("not stated")
    quick: bool = False
    single_shot: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    version: str = ""

    @property
    def ours(self) -> bool:
        """Is it a bench of ours, which owes every trial and every control?"""
        return self.origin == "bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundState:
    """A workspace held against the journal. `state` is explained, unknown_state or cannot_tell."""

    task_id: str
    attempt: int
    checkpoint: str
    expected: str
    found: str
    state: str
    why: str
    where: str = ""
    policy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalFacts:
    """What only a foreign journal tells, by task: the same digest written again, another draft, kinds that nobody knows."""

    replayed: tuple[str, ...] = ()
    redrafted: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    unscoreable: tuple[tuple[str, str], ...] = ()
    unverdicted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSheet:
    """Everything that metrics and gate rules of a bench may read. Pure data; trials in the order of their keys."""

    terms: BenchTerms
    trials: tuple[Trial, ...]
    controls: tuple[ControlLine, ...] = ()
    defects: tuple[Defect, ...] = ()
    states: tuple[FoundState, ...] = ()
    journal: JournalFacts = JournalFacts()
    estimates: tuple[Estimate, ...] = ()

    def estimate(self, metric: str) -> Estimate | None:
        """The estimate of one metric, if it was computed."""
        return next((one for one in self.estimates if one.metric == metric), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultLine:
    """One planned fault over its trials: how many, in how many it came, how many it really interrupted, what became of them."""

    fault: str
    trials: int
    fired: int
    interrupted: int
    recovered: int | NotMeasured
    applied_twice: int | NotMeasured
    unknown_state: int | NotMeasured
    apart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DurabilityCard:
    """The published result of one bench: a pack and a runner. Three lines: capability, efficiency, durability.

    `trials` counts rows by what they were made for. A withheld number is absent here too: its place says what withholds it.
    `double_applied` names trials; `replayed`, `redrafted` and `states` are of a foreign journal.
    """

    schema_version: int
    bench: str
    version: str
    origin: str
    digest: str
    pack: str
    taskset_digest: str
    runner: str
    runner_digest: str
    rules_digest: str
    environment: tuple[tuple[str, str], ...]
    checkpoints: tuple[str, ...]
    faults: tuple[str, ...] | NotMeasured
    repeats: int
    seed: int | NotMeasured
    trials: tuple[tuple[str, int], ...]
    missing: int | NotMeasured
    controls: tuple[ControlLine, ...]
    capability: tuple[Estimate, ...]
    efficiency: tuple[Estimate, ...]
    durability: tuple[Estimate, ...]
    by_fault: tuple[FaultLine, ...]
    double_applied: tuple[str, ...] | NotMeasured
    replayed: tuple[str, ...] = ()
    redrafted: tuple[str, ...] = ()
    unscoreable: tuple[tuple[str, str], ...] = ()
    states: tuple[FoundState, ...] = ()
    notes: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedBench:
    """The result of scoring. `estimates` may be printed: what is withheld is not in them. `sheet` may not."""

    sheet: BenchSheet
    estimates: tuple[Estimate, ...]
    findings: tuple[Finding, ...]
    verdict: Verdict
    withheld: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeRow:
    """One attempt that a resume would start: its number, why, and the row that it supersedes (which stays where it is)."""

    task_id: str
    repeat: int
    attempt: int
    why: str
    supersedes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumePlan:
    """What resuming a foreign result would do. `epoch` is the number to declare for the new rows; nothing is removed.

    `kept` have a verdict; `left` have none and stay as they are, because the declared policy does not re-run them.
    """

    schema_version: int
    source: str
    policy: str
    epoch: int
    declared: int | NotMeasured
    resume: tuple[ResumeRow, ...]
    kept: tuple[str, ...]
    left: tuple[tuple[str, str], ...] = ()
    unnamed: int = 0
    torn: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
