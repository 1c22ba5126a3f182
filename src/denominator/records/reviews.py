"""What people are asked about rows, what they answered, and what that decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.keys import AttemptKey
from denominator.records.labels import Evidence
from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRow:
    """One question of a sheet: one axis of one row, what is known of it, and the two places that a person fills.

    `place` is where it stands in this copy, from 1. `row` names the row whatever a spreadsheet makes of its key.
    `allowed` are the values one of which `value` takes; `look` says where the evidence lies; an empty `value` is no answer.
    """

    sheet: str
    copy: str
    place: int
    row: str
    key: AttemptKey
    axis: str
    allowed: tuple[str, ...]
    facts: Mapping[str, str] = field(default_factory=dict)
    patch: str = ""
    look: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    value: str = ""
    why: str = ""
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRow:
    """A row that a sheet asks about, and along which axes."""

    row: str
    key: AttemptKey
    axes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCopy:
    """One labeler's copy of a sheet. `order` are row names; `labeler` is empty while it belongs to nobody yet."""

    name: str
    labeler: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSheet:
    """What a sheet asks, without any answer. `id` is the digest of run, rows, axes, selection and seed.

    `selection` is held_out (by hash of row and seed), disagreed, low or unresolved; only held_out is `blind`, so that
    only its labels may speak of agreement. `pool` rows could have been drawn, of which `share` percent were.
    `seed_by` says who chose the seed: contract (the digest of the seal or the import) or person.
    """

    id: str
    run_id: str
    selection: str
    blind: bool
    share: int
    pool: int
    seed: str
    seed_by: str
    axes: tuple[str, ...]
    allowed: Mapping[str, tuple[str, ...]]
    rows: tuple[AskedRow, ...]
    copies: tuple[ReviewCopy, ...]
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the labels of people say of one row along one axis.

    `state` is agreed (two people or more and nobody against them), adjudicated, disputed (people differ) or single
    (one person alone). `value` is empty unless agreed or adjudicated. `people`, `values` and
    `labels` (their digests) stand side by side, one for each label that it rests on.
    """

    key: AttemptKey
    axis: str
    state: str
    value: str
    people: tuple[str, ...]
    values: tuple[str, ...]
    labels: tuple[str, ...]
    evidence: tuple[Evidence, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """A row on which the rules' label stands although a person says something else, and why it stands."""

    key: AttemptKey
    axis: str
    values: tuple[str, ...]
    stands: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleWork:
    """How far people's labels reach: rows they decided, those of them that changed, what is disputed.

    `digest` is of all labels of people that were there, sorted; empty when there was none.
    """

    people: tuple[str, ...] = ()
    decided: tuple[AttemptKey, ...] = ()
    changed: tuple[AttemptKey, ...] = ()
    adjudicated: tuple[AttemptKey, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    digest: str = ""


NOBODY = PeopleWork()
"""No person labelled anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A coefficient with its 95 % interval, as decimal strings, or why there is none."""

    name: str
    value: str | NotMeasured
    lo: str | NotMeasured
    hi: str | NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """How often the one said `first` where the other said `second`, and on which rows where those differ."""

    first: str
    second: str
    count: int
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """Two labelers (or the rules and people who agree) on the rows that both labelled; `same` of `items` alike.

    `figures` are empty between rules and people: the rules are no labeler.
    """

    first: str
    second: str
    items: int
    same: int
    figures: tuple[Figure, ...]
    confusion: tuple[Confusion, ...]
    enough: bool = False
    reliable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisAgreement:
    """How far people agree along one axis, from their first labels on blind sheets."""

    axis: str
    pairs: tuple[PairAgreement, ...]
    rules: PairAgreement
    schema_version: int = 1
