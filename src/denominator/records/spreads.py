"""How much a run of ours, or of anybody, moves when it is run again: the spread of repeats, of one arm and of two.

Numbers are decimal strings or the reason why there is none; shares lie in [0, 1].
"""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.comparisons import Comparability
from denominator.records.values import NotMeasured

Number = str | NotMeasured
Count = int | NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A number with its interval, and how it was made."""

    value: Number
    lo: Number
    hi: Number
    method: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSpread:
    """One task: `passes` of `draws`, of which `unseen` came to no verdict; `marks` has one letter a repeat.

    P pass, F fail, A abstain, U unscoreable, - never started. `lo`, `hi` bound the pass rate of this task.
    """

    task_id: str
    passes: int
    draws: int
    unseen: int
    marks: str
    lo: str
    hi: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """These tasks again. `se` is of the mean of all repeats; a fresh single pass lands within `spread95` of another one.

    `sd` is of the suite rate of one fresh pass; `lo`, `hi` bound the mean over endless repeats of these tasks.
    """

    se: Number
    sd: Number
    spread95: Number
    lo: Number
    hi: Number
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolves:
    """A planning number: the least difference between two arms that a pack of this size finds 8 times in 10.

    `assumed` says what the formula was given beside the data.
    """

    difference: Number
    assumed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowTask:
    """A task with attempts whose wall time is over three times its median."""

    task_id: str
    attempts: int
    median_ms: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessNotes:
    """What the harness did to the attempts. `attempts` counts all tries of the solvable slice.

    `clipped` were ended by a limit; of `clipped_unknown` nobody recorded what ended them. `declared` is what the arm says
    of itself (temperature, timeouts, retries) as name and value.
    """

    attempts: int
    clipped: int
    clipped_unknown: int
    clipped_share: Number
    walls: int
    slow: tuple[SlowTask, ...]
    extra_attempts: int
    retried_draws: int
    provider_retries: Count
    retries_declared: bool
    cold: int
    cold_unknown: int
    declared: tuple[tuple[str, Number], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmSpread:
    """One arm. `repeats` is unknown where tasks have unlike numbers of them; then there is no mean, and nothing is dropped.

    `mean` is over tasks like these, as on the card; `mean_bounds` and `flip_bounds` are the ends of what the draws without
    a verdict could make of it (a reason in place of both where every draw has one). `caveat` says what so many repeats
    can show. Empty `per_task` and reasons in place of numbers: withheld.
    """

    name: str
    run_id: str
    seal_digest: str
    rows_digest: str
    tasks: Count
    repeats: int | NotMeasured
    draws: Count
    passes: Count
    unseen: Count
    mean: Span
    mean_bounds: Span
    flip: Span
    flip_bounds: Span
    rerun: Rerun
    resolves: tuple[Resolves, ...]
    caveat: str
    notes: HarnessNotes
    flaky: tuple[str, ...] = ()
    baseline: str = ""
    per_task: tuple[TaskSpread, ...] = ()
    withheld: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSpread:
    """Two arms on the same tasks, A minus B. `p` is of the declared exact test; the interval is at 1 - alpha.

    `these_tasks_p` asks only about these very tasks (K > 1); `sign_p` is the sign test, which drops sizes. `worst` holds
    the ends of the interval whatever the draws without a verdict were, and `holds_at_worst` says whether the difference
    would still be told from none. `units` are tasks, or clusters of tasks that share a family. `ahead` names the arm
    that passes more often, where the report says that one does.
    """

    difference: Number
    lo: Number
    hi: Number
    method: str
    alpha: str
    test: str
    p: Number
    sign_p: Number
    these_tasks_p: Number
    separated: bool
    holds_at_worst: bool
    worst: Span
    units: int
    tasks: int
    repeats: int
    more_a: tuple[str, ...]
    more_b: tuple[str, ...]
    pinned: int
    pinned_share: str
    saturated: bool
    leave_one_out: Span
    top3_share: Number
    resolves: Resolves
    ahead: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The report of `spread`: one arm, or two that are comparable. `report` is a word of `SpreadReport`, or empty for one.

    `refusals` say why there are no numbers. `limits` are printed with every result.
    """

    arms: tuple[ArmSpread, ...]
    report: str
    sentence: str
    pair: PairSpread | NotMeasured
    refusals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    comparability: Comparability | NotMeasured = NotMeasured("one arm has nothing to be compared with")
    schema_version: int = 1
