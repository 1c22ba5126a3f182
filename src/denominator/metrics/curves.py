"""pass@k and pass^k: one number for every k up to the sealed repeats, mean over tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_DRAW, About, parts
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats.repeats import by_number

SINGLE = NotMeasured("one repeat: k above 1 is undefined, k = 1 is the headline")
Chance = Callable[[int, int, int], Fraction | NotMeasured]
"""(repeats, passes, k) of one task."""


def curve(name: str, estimand: str, read: Reading, chance: Chance) -> Estimate:
    """The value at k = K with Wilson over tasks (each says yes or no there); the parts are every k from 1 to K."""
    repeats = read.terms.repeats
    about = About(name, f"{estimand}, k = {repeats}", "tasks", read)
    if isinstance(read.declared, NotMeasured) or not read.exits:
        return about.rate(0, read.declared if isinstance(read.declared, NotMeasured) else 0, NO_DRAW)
    if read.one_run is not None:
        return about.missing(SINGLE if repeats <= 1 else read.one_run, read.one_run, read.tasks)
    passes = by_number(read.exits.passes)
    points = [(k, _mean(passes, repeats, k, chance)) for k in range(1, repeats + 1)]
    found = about.rate(int(points[-1][1] * len(read.exits)), len(read.exits), NO_DRAW)
    return replace(found, by=parts([(str(k), value) for k, value in points]))


def _mean(passes: Mapping[int, int], repeats: int, k: int, chance: Chance) -> Fraction:
    """Mean over tasks; `passes` says how many tasks passed so often."""
    found = ((chance(repeats, count, k), tasks) for count, tasks in passes.items())
    return sum((value * tasks for value, tasks in found if isinstance(value, Fraction)), Fraction(0)) / sum(
        passes.values()
    )
