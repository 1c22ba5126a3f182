"""The one shape of every gate rule of an endpoint bench: a score and the use it is for, findings out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from denominator.catalog import Entry
from denominator.gate.shape import Said
from denominator.records.probe_results import ProbeScore


class Level(StrEnum):
    """What an endpoint may be tried for; each asks for everything that the one before asks for."""

    PROTOTYPE = "prototype"
    CI = "ci"
    INTERNAL = "internal"
    PRODUCTION = "production"


LEVELS: tuple[Level, ...] = tuple(Level)


@dataclass(frozen=True, slots=True)
class ProbeRule:
    """A gate rule of a probe. `held` is printed when nothing was found; below level `since` it is not asked."""

    entry: Entry
    check: Callable[[ProbeScore, Level], Iterable[Said]]
    held: str
    since: Level = Level.PROTOTYPE

    def applies(self, level: Level) -> bool:
        """Is it asked at this level?"""
        return LEVELS.index(level) >= LEVELS.index(self.since)
