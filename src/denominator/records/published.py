"""A published score that is to be reproduced (METHODS M14), and what setting our run beside it gives."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.envelopes import EMPTY, DateText, DecimalValue, Number, Text
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured

NOT_COMPUTED = NotMeasured("not computed")


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedScore:
    """What was printed: `passed` of `tasks`, or `percent` of `tasks`. A percent alone is context and no more."""

    passed: Number = EMPTY
    tasks: Number = EMPTY
    percent: DecimalValue = EMPTY
    metric: Text = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedPack:
    """Which tasks: ids or a digest make a list; a name or a number does not."""

    name: Text = EMPTY
    version: Text = EMPTY
    digest: Text = EMPTY
    task_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedConditions:
    """What one attempt could spend and how many there were: tokens, seconds, numbers."""

    budget_tokens: Number = EMPTY
    wall_s: Number = EMPTY
    attempts: Number = EMPTY
    retries: Number = EMPTY
    repeats: Number = EMPTY
    seed: str | int | NotMeasured = EMPTY
    temperature: DecimalValue = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedHarness:
    """What ran the attempts, and in what."""

    name: Text = EMPTY
    commit: Text = EMPTY
    python: Text = EMPTY
    platform: Text = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedModel:
    """The model and the host it was reached at; a key is written nowhere."""

    id: Text = EMPTY
    snapshot: Text = EMPTY
    endpoint_host: Text = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedOutcomes:
    """Each task's outcome, where it was published: ids of passed and of failed tasks."""

    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A whole `published.toml`. A field that is not known stays out; it makes the result directional only."""

    schema_version: int = 1
    name: Text = EMPTY
    source: Text = EMPTY
    date: DateText = ""
    verify_cmd: Text = EMPTY
    score: PublishedScore = PublishedScore()
    pack: PublishedPack = PublishedPack()
    conditions: PublishedConditions = PublishedConditions()
    harness: PublishedHarness = PublishedHarness()
    model: PublishedModel = PublishedModel()
    outcomes: PublishedOutcomes = PublishedOutcomes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One field of both fingerprints: same, moved, or unknown where a side does not state it."""

    name: str
    state: str
    published: str | NotMeasured
    ours: str | NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One score: `passed` lies between `least` and `most` where something is not known (a percent; no verdict)."""

    name: str
    n: int | NotMeasured
    least: int | NotMeasured
    most: int | NotMeasured
    printed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedDiff:
    """Our run beside a published score. The fingerprint comes first; below a rate there is no difference of rates.

    `verdict` is inside_noise, outside_noise, not_the_same_benchmark, unverifiable, red_on_the_clean_checkout, or withheld
    where our own gate blocks. `difference` is ours minus published, decimal strings. `likely` are fields in the order in
    which they are known to move scores: those that moved, then those that nobody knows.
    """

    published: Told
    ours: Told
    fingerprint: tuple[Moved, ...]
    verdict: str
    directional: bool
    reasons: tuple[str, ...]
    sentence: str
    next: str
    method: str = ""
    difference: str | NotMeasured = NOT_COMPUTED
    lo: str | NotMeasured = NOT_COMPUTED
    hi: str | NotMeasured = NOT_COMPUTED
    p: str | NotMeasured = NOT_COMPUTED
    likely: tuple[str, ...] = ()
    censor: tuple[str, ...] = ()
    may_not: tuple[str, ...] = ()
    tokens_per_solved: Estimate | NotMeasured = NOT_COMPUTED
    wall_p50: Estimate | NotMeasured = NOT_COMPUTED
    limits: tuple[str, ...] = ()
    exit: int = 0
    schema_version: int = 1
