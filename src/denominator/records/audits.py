"""What `audit` says of a foreign result: what its source prints, what its own rows say, and what that allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from denominator.records.findings import Verdict
from denominator.records.foreign import UNSAID
from denominator.records.rows import Count, Defect, Text


class Says(StrEnum):
    """What is known of a printed number.

    A percentage is `given` by a known count over a known n, is that only when `cut` or rounded otherwise, is of an `other_count`
    than the known ones, is `possible` as some count where none is known, or is `impossible`: no count out of the n that the
    source states (or out of any n at all, as far as the plan goes) gives it, however it was rounded or cut. It is `unexplained`
    where no known count gives it and nobody says out of how many it is, or that it is a count at all. A count `agrees` or
    `disagrees` with the rows.
    """

    GIVEN = "given"
    CUT = "cut"
    POSSIBLE = "possible"
    OTHER_COUNT = "other_count"
    IMPOSSIBLE = "impossible"
    UNEXPLAINED = "unexplained"
    AGREES = "agrees"
    DISAGREES = "disagrees"
    UNCHECKED = "unchecked"
    WITHHELD = "withheld"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedCount:
    """A number of draws that a percentage could be of: `scheduled`, `with a record`, or a number that the source states."""

    name: str
    n: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedLine:
    """A number as its source prints it (the source's words, never ours), and what the rows say of it. With `counted` the
    source prints no such number: it is how many entries its list holds, or what its sums add up to, counted by us.

    `by` names the counts of passes that were tried, `given_by` the denominators over which one of them prints so, `tried` all
    that were tried. `out_of` is the denominator that the source states, of draws or tasks (`unit_of`). `other_n` is the
    first and the last n, among all, over which the passes of the rows print so; empty: none.
    """

    metric: str
    printed: str
    unit: str
    role: str
    of: str
    where: str
    says: Says
    what: str
    by: tuple[str, ...] = ()
    given_by: tuple[AuditedCount, ...] = ()
    tried: tuple[AuditedCount, ...] = ()
    other_n: tuple[int, ...] = ()
    out_of: Count = UNSAID
    unit_of: str = ""
    counted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingLine:
    """A line of the format's table of endings, with how many attempts of this run ended so."""

    word: str
    n: int
    outcome: str
    origin: str
    reason: str
    judged: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedRun:
    """One run. `passes` is unknown where a control hides it; `conditions` says who states a field, `unknown` why nobody can."""

    name: str
    arm: str
    run_id: str
    digest: str
    passes: Count
    counts: tuple[AuditedCount, ...]
    published: tuple[PublishedLine, ...]
    endings: tuple[EndingLine, ...]
    conditions: Mapping[str, str]
    unknown: Mapping[str, str]
    missing: tuple[str, ...]
    defects: tuple[Defect, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """One run of several. `printed` are its rates in the source's words.

    `least` and `most` are its worst and its best case over the draws of all runs, as decimal text; where they are one number
    `no_width` says what that means. `kept` is its folder below the one that was named to keep them in.
    """

    name: str
    printed: tuple[PublishedLine, ...] = ()
    passes: Count
    recorded: Count
    scored: Count
    scheduled: Count
    absent: Count
    least: Text
    most: Text
    status: str
    rung: str
    blocked_by: tuple[str, ...] = ()
    exit: int = 0
    why: str = ""
    no_width: str = ""
    kept: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdSets:
    """How far several runs are of the same draws."""

    union: int
    intersection: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Regraded:
    """One patch of a draw with different verdicts in different runs: `verdicts` says which, by the run's name."""

    task_id: str
    repeat: int
    patch_sha256: str
    verdicts: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """`audit PATH`: one run in full, or a line for each of several, and the patches that these judge differently.

    `files` says what each member was taken for.
    """

    schema_version: int = 1
    source: str
    format: str
    title: str
    why: str
    files: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    run: AuditedRun | None = None
    runs: tuple[RunLine, ...] = ()
    ids: IdSets | None = None
    regraded: tuple[Regraded, ...] = ()
    exit: int
