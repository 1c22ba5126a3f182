"""Seeds before models (METHODS M13): class counts side by side, and whether two seeds differ more than chance allows.

Two seeds are compared over the tasks that both drew: exact McNemar for "this class or another", Holm over the classes
and over all pairs of seeds, alpha 0.05. A seed that disagrees with another says that the noise of one agent is larger
than it looks, so nothing is said about two agents before it is understood: wait.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from denominator.records.judgements import JudgedDraw
from denominator.records.seeds import SeedCounts, SeedPair, Seeds, SeedTable
from denominator.records.values import NotMeasured
from denominator.stats.decimals import decimal6
from denominator.stats.families import holm
from denominator.stats.mixes import ClassShift, mix_shift

ALPHA = Fraction(5, 100)
Classes = dict[str, str]


def compare_seeds(draws: Iterable[tuple[str, int, JudgedDraw]]) -> Seeds:
    """The table over draws of one slice, as (task, repeat, draw); unknown where one has no seed or there is one seed only."""
    found: dict[int, Classes] = {}
    for task, _, draw in draws:
        seed = draw.row.seed if draw.row is not None else NotMeasured("never started")
        if isinstance(seed, NotMeasured):
            return NotMeasured(f"{task} has no seed: {seed.not_measured}")
        if task in found.setdefault(seed, {}):
            return NotMeasured(f"seed {seed} drew {task} twice")
        found[seed][task] = draw.failure_class or "unresolved"
    if len(found) < 2:
        return NotMeasured("one seed: nothing to set side by side")
    names = sorted({name for classes in found.values() for name in classes.values()})
    pairs = _pairs(found)
    counts = tuple(_counts(seed, classes, names) for seed, classes in found.items())
    return SeedTable(seeds=counts, pairs=pairs, wait=any(pair.wait for pair in pairs))


def _counts(seed: int, classes: Classes, names: Sequence[str]) -> SeedCounts:
    counted = Counter(classes.values())
    return SeedCounts(seed=seed, draws=len(classes), classes={name: counted[name] for name in names})


def _pairs(found: dict[int, Classes]) -> tuple[SeedPair, ...]:
    """Every pair of seeds with its most different class; p is adjusted once more for the number of pairs."""
    compared = []
    for first, second in combinations(found, 2):
        shared = sorted(found[first].keys() & found[second].keys())
        if shared:
            shifts = mix_shift([found[first][task] for task in shared], [found[second][task] for task in shared])
            compared.append((first, second, len(shared), min(shifts, key=lambda one: (one.adjusted_p, one.name))))
    adjusted = holm([shift.adjusted_p for *_, shift in compared])
    return tuple(_pair(*pair, p) for pair, p in zip(compared, adjusted, strict=True))


def _pair(first: int, second: int, tasks: int, shift: ClassShift, p: Fraction) -> SeedPair:
    return SeedPair(
        first=first,
        second=second,
        tasks=tasks,
        klass=shift.name,
        only_first=shift.only_first,
        only_second=shift.only_second,
        p=decimal6(p),
        wait=p <= ALPHA,
    )
