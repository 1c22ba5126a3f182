"""Two arms side by side: what each brings, and whether they may be compared at all."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.cards import Counts
from denominator.records.estimates import Estimate
from denominator.records.findings import Verdict
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One arm as judged. `sheet` holds everything, withheld or not: only `compare` and `pipeline` may read it.

    `caps` names the rules that lower its own sentence to counts; `split_hidden` says that not even its passes may be
    told; `rows` is false where only a manifest was given.
    """

    name: str
    sheet: Sheet
    verdict: Verdict
    caps: tuple[str, ...] = ()
    split_hidden: bool = False
    rows: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldVerdict:
    """One field of both envelopes.

    `verdict` is same, treatment, note, or what a difference makes of the comparison: question, subject, conditions,
    referee; `unknown` where a side does not state it. `blocks` says whether it stops the comparison.
    """

    name: str
    verdict: str
    blocks: bool
    a: str | NotMeasured
    b: str | NotMeasured
    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Was the treatment there? In `delivered` of `attempts` of an arm the declared value of `field` really took effect.

    `unknown` attempts say nothing about it; `holds` is false below the sealed floor, and while too much is unknown.
    """

    arm: str
    field: str
    delivered: int
    attempts: int
    unknown: int
    floor: str
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparability:
    """May two arms be compared? `status` is comparable or not_comparable; every reason is in a field, a task or a note.

    `reasons` are the lines that block, in words. `declared_before` is false where the treatment was named afterwards or
    the conditions were only said to be equal: then nothing is established.
    """

    status: str
    fields: tuple[FieldVerdict, ...]
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    treatment: tuple[str, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    declared_before: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmLine:
    """One arm over its own declared draws of the solvable slice: every draw exits once.

    `exits` has pass and fail as one term where a violated control hides them. `shared` are the exits over the tasks that
    both arms know, only where the task sets differ. `after_cap` are draws that ended after their own budget. `rows` is
    false where only a manifest was given. `controls_held` of `controls` came out as they must; `own_process` is false
    where a solution could have reached its own verdict, or nobody recorded how it was graded.
    """

    name: str
    arm: str
    origin: str
    digest: str
    status: str
    rung: str
    declared: int | NotMeasured
    tasks: int | NotMeasured
    repeats: int
    exits: Counts
    origins: Counts
    never_started: tuple[str, ...] = ()
    after_cap: tuple[str, ...] = ()
    blocked_by: tuple[str, ...] = ()
    capped_by: tuple[str, ...] = ()
    rows: bool = True
    controls: int = 0
    controls_held: int = 0
    own_process: bool = False
    shared: Counts | NotMeasured = NotMeasured("the task sets do not differ")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPair:
    """One task in both arms: passes out of the same number of draws, and draws without a verdict (`unseen`)."""

    task_id: str
    passes_a: int
    passes_b: int
    unseen_a: int = 0
    unseen_b: int = 0
    cluster: str = ""
    stratum: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """Draws that ended as `a` in the first arm and as `b` in the second (an exit, and whose where it is no pass)."""

    a: str
    b: str
    count: int
    draws: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumPair:
    """One stratum: passes of both arms over its draws, and in how many of its tasks each arm has more passes."""

    name: str
    tasks: int
    draws: int
    passes_a: int
    passes_b: int
    more_a: int
    more_b: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginPair:
    """How many draws of each arm ended by whose doing."""

    origin: str
    a: int
    b: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest:
    """The declared test of the pair, decimal strings. `p` decides; `adjusted` is for the declared family of `family` pairs.

    `sign_p` is the sign test over the tasks that differ, `stratified_p` the exact test on exactly these tasks. Each is
    withheld with its reason where no p value may be printed.
    """

    name: str
    alpha: str
    p: str | NotMeasured
    p_exact: str | NotMeasured
    p_mid: str | NotMeasured
    adjusted: str | NotMeasured
    family: int = 1
    sign_p: str | NotMeasured = NotMeasured("not asked")
    stratified_p: str | NotMeasured = NotMeasured("not asked")
    e_value: str | NotMeasured = NotMeasured("no look was declared")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstCase:
    """What the draws without a verdict could make of it: A - B between `lo` and `hi`, and the interval around both.

    `holds` says whether what the seen draws establish stays established whatever the unseen ones were.
    """

    unseen_a: int
    unseen_b: int
    difference_lo: str
    difference_hi: str
    lo: str
    hi: str
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Where the difference comes from: range when any one task is left out, share of the three largest, pinned tasks."""

    leave_one_out: tuple[str, str] | NotMeasured
    top3_share: str | NotMeasured
    pinned: int
    pinned_share: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two arms side by side. Not comparable: no number that sets one against the other is in here, in any form.

    `unit` is task or cluster; `units` is how many; `more_a` and `more_b` are tasks with more passes in one arm.
    """

    schema_version: int
    a: ArmLine
    b: ArmLine
    comparability: Comparability
    verdict: Verdict
    tasks: int | NotMeasured = NotMeasured("not paired")
    repeats: int | NotMeasured = NotMeasured("not paired")
    unit: str = "task"
    units: int | NotMeasured = NotMeasured("not paired")
    more_a: tuple[str, ...] = ()
    more_b: tuple[str, ...] = ()
    table: tuple[TaskPair, ...] = ()
    transitions: tuple[Transition, ...] = ()
    strata: tuple[StratumPair, ...] = ()
    origins: tuple[OriginPair, ...] = ()
    estimates: tuple[Estimate, ...] = ()
    test: PairTest | NotMeasured = NotMeasured("not compared")
    worst: WorstCase | NotMeasured = NotMeasured("not compared")
    spread: Spread | NotMeasured = NotMeasured("not compared")
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GridLine:
    """One pair of several arms: role in the declared family, rung, and whether it separates (yes, no, or why not said)."""

    a: str
    b: str
    role: str
    status: str
    difference: Estimate | NotMeasured
    adjusted: str | NotMeasured
    separates: bool | NotMeasured
    rung: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Several arms: the declared primary comparison, every pair of the family, and what the whole allows to say."""

    schema_version: int
    arms: tuple[ArmLine, ...]
    pairs: tuple[GridLine, ...]
    comparisons: tuple[Comparison, ...]
    family: int
    sentence: str
    may_not: tuple[str, ...]
    lifts: tuple[str, ...]
    exit: int
    notes: tuple[str, ...] = ()
