"""Do two runs of the same tasks end in different ways more than chance allows? Class by class, exact, adjusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from denominator.stats.discordant import mcnemar
from denominator.stats.families import holm


@dataclass(frozen=True, slots=True)
class ClassShift:
    """A class: tasks that end in it only in the first run, only in the second, and the adjusted exact p."""

    name: str
    only_first: int
    only_second: int
    adjusted_p: Fraction


def mix_shift(first: Sequence[str], second: Sequence[str]) -> tuple[ClassShift, ...]:
    """One class a task and run, same task order; the mixes differ at alpha when some adjusted p <= alpha.

    Exact McNemar for "this class or another", Holm over the classes seen. Raises ValueError when lengths differ.
    """
    rows = list(zip(first, second, strict=True))
    names = sorted({*first, *second})
    counts = [(sum(a == name != b for a, b in rows), sum(b == name != a for a, b in rows)) for name in names]
    adjusted = holm([mcnemar(*pair) for pair in counts])
    return tuple(ClassShift(name, *pair, p) for name, pair, p in zip(names, counts, adjusted, strict=True))
