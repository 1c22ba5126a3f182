"""What repeated gradings with the agent off showed of a pack."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeCheck:
    """One tree (`base` or `gold`) graded again and again; counts of results, `red` holds tampered ones too.

    `flake_rate_upper` is the exact one-sided 95 % upper bound of the rate at which the tree shows its rarer result
    (Clopper and Pearson): 1 - 0.05^(1/n) after n clean repeats. `unstable` are test ids that passed and failed on it.
    """

    on: str
    wanted: str
    green: int
    red: int
    none: int
    flake_rate_upper: str | NotMeasured
    unstable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCheck:
    """One task. `verdict` is stable, FLAKY_TEST, pack_expired, wrong or no_verdict; `why` says what was seen."""

    task_id: str
    verdict: str
    why: str
    trees: tuple[TreeCheck, ...]
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackCheck:
    """A pack on this box. `changed` are differences from its lock; with any, nothing is graded and `tasks` is empty."""

    pack_id: str
    pack_version: str
    digest: str
    locked: bool
    repeats: int
    concurrency: int
    expires: str = ""
    expired: bool = False
    changed: tuple[str, ...] = ()
    tasks: tuple[TaskCheck, ...] = ()
    box_digest: str = ""
    grader_sha: str = ""
    terms_digest: str = ""
    schema_version: int = 1

    @property
    def holds(self) -> bool:
        """Nothing differs from the lock, no day is over, every graded task is stable."""
        return not self.changed and not self.expired and all(task.verdict == "stable" for task in self.tasks)
