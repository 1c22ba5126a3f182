"""Stored patches graded again by a stranger, and a sample of rows that the issuer cannot choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from denominator.records.bundles import Checked, Fault
from denominator.records.events import Json
from denominator.records.values import NotMeasured

AGREE, DIFFER, COULD_NOT, NEVER_GRADED = "agree", "differ", "could_not", "never_graded"
NOT_SAMPLED, NOT_REGRADED = NotMeasured("no sample was asked for"), NotMeasured("no patch was to be graded again")
STATES = (AGREE, DIFFER, COULD_NOT, NEVER_GRADED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Regrade:
    """One row: the grade that was recorded and the one that its stored patch gets now.

    `state` is agree, differ, could_not (`why` says what is missing; never counted as agreement) or never_graded (no
    grading was recorded, so there is nothing to compare). `seen` are all grades of this verification, in order.
    Where a violated control hides who passed, only rows that differ say their grades.
    """

    index: int
    task_id: str
    repeat: int
    attempt: int
    state: str
    recorded: str | NotMeasured
    now: str | NotMeasured
    why: str = ""
    seen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Regraded:
    """Every row that was asked for, and how many are in each state. `unfit` are tasks whose tests do not hold here with
    the agent off, each with the reason: no grade of theirs is compared. `notes` are for people.
    """

    rows: tuple[Regrade, ...]
    agree: int
    differ: int
    could_not: int
    never_graded: int
    unfit: tuple[tuple[str, str], ...] = ()
    baseline: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """The chance that a sample misses all of `bad` bad rows: six decimals, and exactly, as a fraction or two binomials."""

    bad: int
    missed: str
    exact: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """One row of a sample: its place in the ledger (from 0), and which it is where the ledger is at hand."""

    index: int
    row: str | NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The `k` of `n` rows under `root` that a nonce names. `found_95` is the least number of bad rows of which one is
    in such a sample with at least 95 %. `not_opened` are rows that were asked for and that no opening shows; `faults`
    is what an opening claims and its proofs do not give.
    """

    nonce: str
    root: str
    n: int
    k: int
    rows: tuple[Named, ...]
    chances: tuple[Chance, ...]
    found_95: int
    opened: bool = False
    not_opened: tuple[int, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedRow:
    """One row of a ledger with its proof under `rows_root`, and its task with the proof under `tasks_root`.

    `row` is the ledger row as plain JSON; `index` and `task_index` are places from 0; a proof is hex, leaf to root.
    """

    index: int
    row: Mapping[str, Json]
    proof: tuple[str, ...]
    task_index: int
    task: Mapping[str, Json]
    task_proof: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """`opened.json`: rows of one bundle that its issuer shows, under the roots of its `bundle.json`."""

    run_id: str
    rows_root: str
    rows: int
    tasks_root: str
    tasks: int
    opened: tuple[OpenedRow, ...]
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """`verify --json` with `--sample` or `--regrade`: what the bundle holds, then what was asked of it beside that."""

    checked: Checked | NotMeasured
    sample: Sample | NotMeasured
    regraded: Regraded | NotMeasured
    exit: int = 0
    schema_version: int = 1

    @property
    def alone(self) -> bool:
        """Was nothing asked but the check itself?"""
        return isinstance(self.checked, Checked) and self.sample == NOT_SAMPLED and self.regraded == NOT_REGRADED
