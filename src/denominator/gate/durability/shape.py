"""The one shape of every gate rule of a fault bench: a bench sheet in, findings out, as every other gate rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from denominator.catalog import Entry
from denominator.gate.shape import Said
from denominator.records.durability import BenchSheet


@dataclass(frozen=True, slots=True)
class BenchRule:
    """A gate rule of a bench. `held` is printed when nothing was found; `caps`: its note lowers the sentence to counts.

    A rule that `tells` speaks of what came out of the trials: it is silent when anything blocks. A block of one with
    `stops` is an unknown state, for which a person must look (exit 5).
    """

    entry: Entry
    check: Callable[[BenchSheet], Iterable[Said]]
    held: str
    caps: bool = False
    tells: bool = False
    stops: bool = False
