"""Rows with their labels, as `labels` lists them: what a reviewer reads, row by row. No count and no rate."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.facts import Hint
from denominator.records.labels import Evidence, Label


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRow:
    """One row and its labels by axis. `read_it` says why a person must look at it; empty: nothing says so.

    `where` is the file and line of a foreign row. `by` is the rule that decided outcome, origin and reason, `confidence`
    the lowest of those and of the bucket.
    `hints` are known texts in streams of the harness; `words` the same in what an agent or its tests printed, evidence of
    nothing.
    """

    task_id: str
    repeat: int
    attempt: int
    run_id: str
    where: str = ""
    slice: str = ""
    control: str = ""
    outcome: str = ""
    origin: str = ""
    reason: str = ""
    failure_class: str = ""
    mix: str = ""
    tags: tuple[str, ...] = ()
    control_state: str = ""
    by: str = ""
    confidence: str = ""
    why: str = ""
    read_it: str = ""
    people: bool = False
    labels: tuple[Label, ...] = ()
    hints: tuple[Hint, ...] = ()
    words: tuple[Hint, ...] = ()
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedRule:
    """One rule that was asked about a row: whether it won, what it said or why it did not hold, on which facts."""

    code: str
    rule: str
    axis: str
    won: bool
    said: tuple[str, ...] = ()
    why: str = ""
    would_change: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyRow:
    """A row with every rule that was asked about it, in order."""

    row: LabelledRow
    tried: tuple[TriedRule, ...]
    schema_version: int = 1
