"""Seeds side by side: how each repeat of a pack ended, class by class, and whether two of them differ more than chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedCounts:
    """One seed: its draws and their failure classes, with zeros for a class that another seed has."""

    seed: int
    draws: int
    classes: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedPair:
    """Two seeds over the same tasks. `klass` is the class that differs most; `p` is exact, adjusted for classes and pairs."""

    first: int
    second: int
    tasks: int
    klass: str
    only_first: int
    only_second: int
    p: str
    wait: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedTable:
    """All seeds in the order of their repeats, all pairs of them, and the word: wait, or not."""

    seeds: tuple[SeedCounts, ...]
    pairs: tuple[SeedPair, ...]
    wait: bool


Seeds = SeedTable | NotMeasured
