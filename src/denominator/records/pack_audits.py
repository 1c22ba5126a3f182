"""What a pack's audit found: every check that a tool can decide alone, what was done for it, what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from denominator.records.values import NotMeasured


class ItemState(StrEnum):
    """`unknown` and `not_run` are no pass; `declared` and `missing` are of what only people can say."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"
    NOT_RUN = "not_run"
    NOT_APPLICABLE = "not_applicable"
    DECLARED = "declared"
    MISSING = "missing"


class Fate(StrEnum):
    """What became of one attack on one task's grader. `stopped`: the allow-list let none of it through.

    `not_played`: the agent itself failed, so that nothing was tried.
    """

    HELD = "held"
    STOPPED = "stopped"
    FORGED = "forged"
    READ = "read"
    WON = "won"
    EXCLUDED = "excluded"
    NOT_PLAYED = "not_played"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditItem:
    """One check: its name, the items of the checklist that it answers, what was done, what came of it, each problem."""

    name: str
    checklist: tuple[str, ...]
    state: str
    done: str
    result: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackLine:
    """One attack over all tasks: how many ended in which way. `exceptions` name each task that it did not lose on."""

    id: str
    kind: str
    title: str
    tasks: int
    held: int
    stopped: int
    forged: int
    won: int
    excluded: int
    not_played: int = 0
    read: int = 0
    twin: str = ""
    exceptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantLine:
    """A mutant of gold that the hidden tests let live: where, what was changed. It may be equivalent; nobody can tell."""

    task_id: str
    path: str
    line: int
    operator: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskMutants:
    """Mutants of one task's gold: `killed` of `tried` (of `possible`); code blocks of its files that a test reaches."""

    task_id: str
    tried: int
    killed: int
    possible: int
    blocks: int
    blocks_reached: int
    not_reached: tuple[str, ...] = ()
    untouched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeFlips:
    """One tree of one task, graded again and again: results other than the wanted one, and how rare they may still be."""

    task_id: str
    on: str
    gradings: int
    other: int
    none: int
    flake_rate_upper: str | NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class PackAudit:
    """`pack.audit.json`. Counts: `passed` of `automatic`, `declared` of `declarable`, `not_applicable`.

    It speaks of the files with `pack_digest` only. `notes` are what a pass does not say.
    """

    pack_id: str
    pack_version: str
    pack_digest: str
    quick: bool
    repeats: int
    concurrency: int
    taken_at: str
    made_by: str
    grader_sha: str
    box_digest: str
    terms_digest: str
    corpus_sha: str
    automatic: int
    passed: int
    declarable: int
    declared: int
    not_applicable: int
    items: tuple[AuditItem, ...]
    attacks: tuple[AttackLine, ...] = ()
    mutants: tuple[TaskMutants, ...] = ()
    survivors: tuple[MutantLine, ...] = ()
    trees: tuple[TreeFlips, ...] = ()
    notes: tuple[str, ...] = ()
    schema_version: int = 1

    @property
    def holds(self) -> bool:
        """Did every check that was to be run pass?"""
        return not any(item.state in (ItemState.FAILED, ItemState.UNKNOWN) for item in self.items)

    @property
    def sentence(self) -> str:
        """The counts in one line."""
        said = f"{self.passed} of {self.automatic} automatic checks passed"
        return f"{said}, {self.declared} of {self.declarable} declared, {self.not_applicable} not applicable"
