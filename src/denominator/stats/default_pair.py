"""The default comparison of two arms on the same tasks: which interval, which test, and when a difference is established."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from denominator.records.values import NotMeasured
from denominator.stats.clusters import Clusters, by_cluster
from denominator.stats.discordant import ALPHA, mcnemar, mcnemar_midp
from denominator.stats.exact_laws import NO_TASK, differences, sign_flip
from denominator.stats.fourfold import pairs
from denominator.stats.paired_mean import paired_t
from denominator.stats.rates import Interval
from denominator.stats.tango_score import tango

ONE_DRAW = "Tango's score interval; exact McNemar test"
MANY_DRAWS = "paired t, sum of squares at least 1; exact sign-flip test"
BY_CLUSTER = "cluster as the unit: paired t, sum of squares at least one full swing; exact sign-flip test"


@dataclass(frozen=True, slots=True)
class PairedResult:
    """A minus B over tasks like these, in [-1, 1]; `p` is exact or mid-p as declared; `units` are tasks or clusters.

    `established`: the declared test is at most alpha *and* the interval at level 1 - alpha excludes 0.
    """

    difference: Fraction
    interval: Interval
    p: Fraction
    units: int
    differing: int
    method: str
    established: bool


def compare_paired(
    passes_a: Sequence[int],
    passes_b: Sequence[int],
    repeats: int,
    alpha: Fraction = ALPHA,
    *,
    midp: bool = False,
    clusters: Sequence[Hashable] | None = None,
) -> PairedResult | NotMeasured:
    """Passes per task out of the same repeats in both arms, same task order (STATISTICS: K = 1, K > 1, clusters).

    Raises ValueError for counts outside 0..repeats or odd lengths; a test is chosen before the run, not after it.
    """
    diffs = differences(passes_a, passes_b, repeats)
    if not diffs:
        return NO_TASK
    if repeats == 1 and clusters is None:
        return _one_draw(passes_a, passes_b, alpha, midp=midp)
    single = Clusters(diffs, (1,) * len(diffs))
    return _many_draws(single if clusters is None else by_cluster(diffs, clusters), repeats, alpha, midp=midp)


def _one_draw(passes_a: Sequence[int], passes_b: Sequence[int], alpha: Fraction, *, midp: bool) -> PairedResult:
    table = pairs([bool(a) for a in passes_a], [bool(b) for b in passes_b])
    interval, test = tango(table, 1 - alpha), mcnemar_midp if midp else mcnemar
    p = test(table.a_only, table.b_only)
    mean = Fraction(table.a_only - table.b_only, table.n)
    return PairedResult(mean, interval, p, table.n, table.discordant, ONE_DRAW, p <= alpha and _excludes_zero(interval))


def _many_draws(groups: Clusters, repeats: int, alpha: Fraction, *, midp: bool) -> PairedResult | NotMeasured:
    mean = paired_t(groups.sums, repeats, 1 - alpha, sizes=groups.sizes)
    if isinstance(mean, NotMeasured):
        return mean
    flip = sign_flip(groups.sums)
    p, differing = flip.midp if midp else flip.p, sum(total != 0 for total in groups.sums)
    method = MANY_DRAWS if set(groups.sizes) == {1} else BY_CLUSTER
    established = p <= alpha and _excludes_zero(mean.interval)
    return PairedResult(mean.mean, mean.interval, p, mean.units, differing, method, established)


def _excludes_zero(interval: Interval) -> bool:
    return interval.lo > 0 or interval.hi < 0
