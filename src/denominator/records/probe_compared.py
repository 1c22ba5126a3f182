"""Probes side by side: the same questions under the same conditions to endpoints that may differ, counted class for class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.probe_results import Across, Quantiles, WindowLine
from denominator.records.rows import Count
from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeSide:
    """One probe as it was named. `name` is what the caller typed; the order of sides is the order in which they came."""

    name: str
    url: str
    model: str
    seal_sha256: str
    windows: tuple[WindowLine, ...]
    sentences: tuple[str, ...]
    across: tuple[Across, ...]
    notes: tuple[str, ...] = ()
    cap_field: str = "max_tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """k of n attempts in one window of one probe; not measured where the passes of that window are withheld."""

    window: int
    k: Count
    n: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class SideLine:
    """One class of one group: a tuple for each probe, with a cell for each window. `reason` only where a class alone misleads."""

    group: str
    cls: str
    reason: str
    cells: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagLine:
    """One flag of one group, as `SideLine`."""

    group: str
    flag: str
    cells: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesLine:
    """One time in one window and mode: what each probe has of it."""

    window: int
    mode: str
    of: str
    cells: tuple[Quantiles | NotMeasured, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A condition that is not the same: its value in each probe, and why it must be."""

    field: str
    values: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeComparison:
    """`status` is comparable or not_comparable; then only `differences` is filled. No line is a total, none is ordered by value.

    `conditions` are what all sides have in common, in words, by name.
    """

    schema_version: int
    status: str
    sides: tuple[ProbeSide, ...] = ()
    differences: tuple[Difference, ...] = ()
    conditions: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[SideLine, ...] = ()
    flags: tuple[FlagLine, ...] = ()
    latency: tuple[TimesLine, ...] = ()
    may_not: tuple[str, ...] = ()
