"""Is the difference inside the noise at this n? The claim that it is not must hold for every count that may be true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from denominator.compare.published.sides import Claimed
from denominator.records.values import NotMeasured
from denominator.stats import Interval, compare_paired, mover, newcombe, repeat_mean, wilson

PAIRED = "same tasks, paired: Tango's score interval and the exact McNemar test"
UNPAIRED = "counts only, not paired: Newcombe's interval"
REPEATED = "counts of theirs, repeats of ours, not paired: MOVER of both intervals"


@dataclass(frozen=True, slots=True)
class Noise:
    """Ours minus published. `lo`, `hi` bound every case that may be true; `sign` is 0 inside the noise, else the side."""

    sign: int
    method: str
    difference: Fraction | NotMeasured
    lo: float
    hi: float
    p: Fraction | NotMeasured


def noise(published: Claimed, ours: Claimed) -> Noise:
    """Paired where both state each task's outcome over the same tasks; else from the counts. Both n must be known."""
    if published.outcomes and ours.outcomes and published.outcomes.keys() == ours.outcomes.keys():
        return _paired(published.outcomes, ours.outcomes, frozenset(ours.unseen), frozenset(published.unseen))
    return _unpaired(published, ours)


def _paired(
    theirs: Mapping[str, bool], mine: Mapping[str, bool], unseen: frozenset[str], unseen_theirs: frozenset[str]
) -> Noise:
    tasks = sorted(theirs)
    cases = []
    for passed in (False, True):  # what has no verdict counts once against us and once for us
        ours = [passed if task in unseen else mine[task] for task in tasks]
        other = [not passed if task in unseen_theirs else theirs[task] for task in tasks]
        found = compare_paired([int(one) for one in ours], [int(one) for one in other], 1)
        if isinstance(found, NotMeasured):
            raise ValueError("nothing to pair")
        cases.append(found)
    signs = {_side(case.interval) if case.established else 0 for case in cases}
    one = cases[0] if not unseen and not unseen_theirs else None
    return Noise(
        sign=signs.pop() if len(signs) == 1 else 0,
        method=PAIRED,
        difference=one.difference if one else NotMeasured("tasks without a verdict leave it open"),
        lo=min(case.interval.lo for case in cases),
        hi=max(case.interval.hi for case in cases),
        p=one.p if one else NotMeasured("tasks without a verdict leave it open"),
    )


def _unpaired(published: Claimed, ours: Claimed) -> Noise:
    cases = list(_corners(published, ours))
    signs = {_side(interval) for _, interval in cases}
    points = {point for point, _ in cases}
    return Noise(
        sign=signs.pop() if len(signs) == 1 else 0,
        method=UNPAIRED if ours.repeats == 1 else REPEATED,
        difference=points.pop() if len(points) == 1 else NotMeasured("more than one count may be true"),
        lo=min(interval.lo for _, interval in cases),
        hi=max(interval.hi for _, interval in cases),
        p=NotMeasured("not paired: the published outcomes of single tasks are not known"),
    )


def _corners(published: Claimed, ours: Claimed) -> Iterator[tuple[Fraction, Interval]]:
    """The difference for the least and the most that each side may have passed."""
    n_theirs, n_ours = _known(published.told.n), _known(ours.told.n)
    for theirs in {_known(published.told.least), _known(published.told.most)}:
        for mine in {_known(ours.told.least), _known(ours.told.most)}:
            yield Fraction(mine, n_ours) - Fraction(theirs, n_theirs), _interval(ours, mine, n_ours, theirs, n_theirs)


def _interval(ours: Claimed, mine: int, n_ours: int, theirs: int, n_theirs: int) -> Interval:
    """Repeats of ours widen by what tasks differ: the interval of the task means of that case."""
    passes = ours.passes if mine == sum(ours.passes) else ours.most_passes
    if ours.repeats == 1:
        return newcombe(mine, n_ours, theirs, n_theirs)
    rate = mine / n_ours
    own = repeat_mean(passes, ours.repeats).interval if len(passes) > 1 else wilson(rate, 1)  # one task is one task
    return mover(rate, own, theirs / n_theirs, wilson(theirs, n_theirs))


def _known(value: int | NotMeasured) -> int:
    if isinstance(value, NotMeasured):
        raise ValueError("a count that is not known has no noise")
    return value


def _side(interval: Interval) -> int:
    return 1 if interval.lo > 0 else -1 if interval.hi < 0 else 0
