"""Slips: the small artifact that pins one number to what made it (METHODS M3), and what people say of it afterwards.

A slip is immutable; its id is the sha256 of its canonical JSON. Verdict lines, sign-offs and revocations are appended to
a log beside it. Rates are k and n; other numbers are decimal text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from denominator.records.rows import Count, Flag, Text
from denominator.records.values import NotMeasured

ID_DIGITS = 8
"""Hex digits of an id that a document cites at least (`slip:ab12cd34`)."""
NOT_GIVEN = NotMeasured("not given")


class Tier(StrEnum):
    """Who may be shown a number, lowest first."""

    NONE = "none"
    INTERNAL = "internal"
    EXTERNAL = "external"
    QUOTABLE = "quotable"


class SlipOrigin(StrEnum):
    """Where the number comes from: a run of ours, rows of another harness, or a person who declares it."""

    RUN = "run"
    IMPORT = "import"
    HAND = "hand"


class Role(StrEnum):
    """Who says what about a slip: the run owner makes it, the score keeper judges, the quote reviewer signs off."""

    RUN_OWNER = "run_owner"
    SCORE_KEEPER = "score_keeper"
    QUOTE_REVIEWER = "quote_reviewer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """One number of a slip. A rate is k of n; a score that is no count is decimal text with its n, marked declared.

    `lo` and `hi` are the ends of its interval by `method`. `printed` is the text that a source printed, where one did.
    """

    metric: str
    k: Count = NOT_GIVEN
    n: Count = NOT_GIVEN
    score: Text = NOT_GIVEN
    lo: Text = NOT_GIVEN
    hi: Text = NOT_GIVEN
    method: str = ""
    estimand: str = ""
    printed: Text = NOT_GIVEN
    declared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipHarness:
    """What ran the attempts. `digest` is over everything that it covers; `left_out` lists what it does not.

    `covers` names every field under the digest: its value, or `sha256:` and 12 digits of what is long or private.
    """

    name: Text = NOT_GIVEN
    version: Text = NOT_GIVEN
    commit: Text = NOT_GIVEN
    digest: Text = NOT_GIVEN
    left_out: tuple[str, ...] = ()
    covers: Mapping[str, Text] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipModel:
    """The model as asked for and as served, with its sampling as decimal text by name."""

    id: Text = NOT_GIVEN
    snapshot: Text = NOT_GIVEN
    served: tuple[str, ...] = ()
    sampling: Mapping[str, Text] = field(default_factory=dict)
    agent: Text = NOT_GIVEN
    agent_version: Text = NOT_GIVEN


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipPack:
    """What was asked: the pack, the digest of its task ids, and how many draws n counts."""

    id: Text = NOT_GIVEN
    version: Text = NOT_GIVEN
    digest: Text = NOT_GIVEN
    task_ids_sha256: Text = NOT_GIVEN
    tasks: Count = NOT_GIVEN
    repeats: Count = NOT_GIVEN


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipBudget:
    """Tokens used and allowed over the whole run. `ratio` is used/limit as decimal text; without a limit there is none."""

    tokens_used: Count = NOT_GIVEN
    tokens_limit: Count = NOT_GIVEN
    ratio: Text = NOT_GIVEN
    over_budget: Flag = NOT_GIVEN


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipBox:
    """The machine, as `Box` says it. `shared` and `reclaimable`: may somebody else slow it down, or take it away?"""

    host: Text = NOT_GIVEN
    kernel: Text = NOT_GIVEN
    machine: Text = NOT_GIVEN
    python: Text = NOT_GIVEN
    cpu_count: Text = NOT_GIVEN
    memory_bytes: Text = NOT_GIVEN
    cgroup_version: Text = NOT_GIVEN
    cgroup_cpu_limit: Text = NOT_GIVEN
    cgroup_memory_limit: Text = NOT_GIVEN
    git_commit: Text = NOT_GIVEN
    shared: Flag = NOT_GIVEN
    reclaimable: Flag = NOT_GIVEN


@dataclass(frozen=True, slots=True, kw_only=True)
class RawOutput:
    """Where the raw output lies (relative to the slip's folder) and what it was: nobody can check a number without."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipGate:
    """The gate's word when the slip was made: status, rung, sentence, and what blocked or was waived, by code and name."""

    status: str
    rung: str = ""
    sentence: str = ""
    blocked_by: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()
    rules_digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """One pinned claim. `gaps` lists what is not known, field by field, in words; `owner` is who ran it.

    `lineage` is the digest of harness, model and sampling, pack, n, budget and box limits; where a field moved since the
    slip `previous`, `previous_lineage` points back and `moved` names the fields.
    """

    schema_version: int
    origin: str
    run_id: str
    arm: str
    made_at: str
    days: tuple[str, ...]
    seal_sha256: Text
    ledger_sha256: Text
    raw: RawOutput
    harness: SlipHarness
    model: SlipModel
    pack: SlipPack
    budget: SlipBudget
    box: SlipBox
    numbers: tuple[Number, ...]
    headline: str
    gate: SlipGate
    lineage: str
    previous: str = ""
    previous_lineage: str = ""
    moved: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    re_run_spread: Text = NOT_GIVEN
    owner: Text = NOT_GIVEN


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipLine:
    """One appended line: a verdict of a score keeper, a sign-off or rejection of a quote reviewer, a revocation.

    `what` is verdict, signoff, rejection or revoked. `caveat` is the shortest honest caveat; a rejection names the missing
    `field`. `before` is the sha256 of the line before (the slip's id for the first), so that none can be taken out.
    """

    what: str
    slip: str
    role: str
    who: str
    at: str
    tier: str = ""
    caveat: str = ""
    field: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairVerdict:
    """Two slips held against each other: same, box_moved or other_moved. `moved` are (field, old, new) as text."""

    status: str
    moved: tuple[tuple[str, str, str], ...]
    tier: str
    exit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TierLine:
    """The tier of a slip, computed: why no higher, what would lift it, who may see it, which words must stand beside it."""

    tier: str
    why: tuple[str, ...]
    lifts: tuple[str, ...]
    audience: str
    footnote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipStanding:
    """A slip as it stands in its store: what quote check, cards and bundles read."""

    id: str
    slip: Slip
    tier: TierLine
    lines: tuple[SlipLine, ...] = ()
    superseded_by: str = ""
    revoked: str = ""
    signed_off: bool = False
