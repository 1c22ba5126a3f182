"""What the documents beside foreign rows state, as one value; None is: not stated."""

from __future__ import annotations

from dataclasses import dataclass, field

from denominator.records.envelopes import Clause
from denominator.records.rows import Defect
from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True)
class ControlTask:
    """A control that the manifest declares: a task and the outcome that it must have."""

    task_id: str
    expected: str
    role: str = ""


@dataclass(slots=True)
class Stated:
    """Everything that the documents beside the rows state. None: not stated.

    `clauses` are judged of every row under a contract; each row must state those that are `needed`;
    with `one_word` its `task_pass` alone may stand for all of them.
    """

    run_id: str | None = None
    name: str | None = None
    dataset: str | None = None
    task_ids: tuple[str, ...] | None = None
    ids_file: str = ""
    ids_digest: str | None = None
    task_count: int | None = None
    strata: dict[str, int] = field(default_factory=dict)
    invalid_ceiling: str | None = None
    infra_ceiling: str | None = None
    controls: tuple[ControlTask, ...] | None = None
    retry_policy: str | None = None
    attempts: int | None = None
    repeats: int | None = None
    draws: dict[str, int] = field(default_factory=dict)
    on_timeout: str | None = None
    tool_loop_n: int | None = None
    scorer: str | None = None
    headline: str | None = None
    network: str | None = None
    sentence: str | None = None
    hidden_tests: bool | None = None
    never_started_allowed: tuple[str, ...] = ()
    house_reasons: tuple[str, ...] = ()
    house: tuple[Clause, ...] = ()
    percents: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, str | NotMeasured] = field(default_factory=dict)
    told_as: dict[str, str] = field(default_factory=dict)
    said_by: dict[str, str] = field(default_factory=dict)
    treatment: tuple[str, ...] = ()
    comparison: dict[str, object] = field(default_factory=dict)
    seeds: tuple[object, ...] = ()
    verify_shas: dict[str, str] = field(default_factory=dict)
    contract: bool = False
    exclusion_forbidden: bool = True
    clauses: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    one_word: bool = True
    timeout_ms: int | None = None
    locked_at: str = ""
    defects: list[Defect] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    @property
    def listed_controls(self) -> tuple[str, ...]:
        """Controls may stand beside the tasks of a contract or a manifest: they are declared as well, and in no rate."""
        return tuple(one.task_id for one in self.controls or ())

    def say(self, where: str, key: str, what: str, kind: str = "bad_manifest") -> None:
        """Note a mistake of a document; it blocks."""
        self.defects.append(Defect(kind=kind, where=where, what=f"{key}: {what}"))
