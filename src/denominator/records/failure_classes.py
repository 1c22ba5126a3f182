"""`classes.json` of a failure-class ledger (METHODS M13): how the draws of the solvable slice ended, seed by seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """k of n draws, as integers."""

    k: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedLog:
    """One log: its seed, its file, its draws and their classes.

    A draw that never started has no line in the log; it is in `missing` and in the class `unresolved`.
    """

    seed: int | NotMeasured
    repeat: int
    file: str
    draws: int
    missing: int
    classes: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Commits:
    """Both commits that classes depend on: of the harness, and of the tasks (the digest of a pack of ours)."""

    harness: str | NotMeasured
    task_file: str | NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassReport:
    """What the classifier made of a run. Counts are of declared draws of the solvable slice; controls stand apart.

    `contract` is the digest of the seal or of what a manifest declares. `shares` are those of compile_fail, test_fail,
    timeout, over_edit and unresolved. `stopped_early` says why a run ended before its plan did, in words of the gate.
    `not_measured` are fields of the header that nobody stated, each with its reason.
    """

    run_id: str
    contract: str
    rules_digest: str
    cite_rule: str
    status: str
    sentence: str
    commits: Commits
    logs: tuple[SeedLog, ...]
    classes: Mapping[str, int]
    shares: Mapping[str, Part]
    control_states: Mapping[str, str]
    not_measured: Mapping[str, str]
    stopped_early: tuple[str, ...] = ()
    schema_version: int = 1
