"""Tasks that share a repository or a family are not independent: the cluster is the unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from denominator.stats.rates import wilson, z_quantile
from denominator.stats.repeats import RepeatMean
from denominator.stats.student import t_quantile


@dataclass(frozen=True, slots=True)
class Clusters:
    """Sums of whole numbers per cluster and how many tasks each holds, in order of first appearance."""

    sums: tuple[int, ...]
    sizes: tuple[int, ...]


def by_cluster(values: Sequence[int], names: Sequence[Hashable]) -> Clusters:
    """Adds up passes or differences by cluster; give `sums` to `sign_flip`, both to `paired_t`."""
    sums: dict[Hashable, int] = {}
    sizes: dict[Hashable, int] = {}
    for (value, name), many in Counter(zip(values, names, strict=True)).items():
        sums[name] = sums.get(name, 0) + value * many
        sizes[name] = sizes.get(name, 0) + many
    return Clusters(tuple(sums.values()), tuple(sizes.values()))


def clustered_mean(passes: Sequence[int], repeats: int, names: Sequence[Hashable]) -> RepeatMean:
    """The mean of task means with clusters as units: Wilson on the effective number of draws, t with G - 1.

    n_eff = m(1-m) over the variance of the mean between clusters, kept between N^2/sum(size^2) (Kish 1965: clusters
    that move as one) and N*K. With one task a cluster it is `repeat_mean`. Raises ValueError below two clusters.
    """
    n, groups = len(passes), by_cluster(passes, names)
    if len(groups.sums) < 2 or repeats < 1 or any(not 0 <= count <= repeats for count in Counter(passes)):
        raise ValueError("needs at least two clusters, and 0..repeats passes for each task")
    mean = Fraction(sum(passes), n * repeats)
    n_eff = _effective(Counter(zip(groups.sums, groups.sizes, strict=True)), mean, n, repeats)
    n_eff_t = float(n_eff) * (z_quantile() / t_quantile(0.975, len(groups.sums) - 1)) ** 2
    return RepeatMean(mean, n_eff, n_eff_t, wilson(float(mean) * n_eff_t, n_eff_t))


def drawn_mean(passes: Sequence[int], draws: Sequence[int]) -> RepeatMean:
    """The rate over all draws where tasks have different numbers of them: a task weighs as much as it has draws.

    The task is the cluster, its draws are its members. Raises ValueError below two tasks, or for a count outside 0..draws.
    """
    n, tasks = sum(draws), Counter(zip(passes, draws, strict=True))
    if len(passes) < 2 or any(not 0 <= k <= d or d < 1 for k, d in tasks):
        raise ValueError("needs at least two tasks with 0..draws passes each")
    mean = Fraction(sum(passes), n)
    n_eff = _effective(tasks, mean, n, 1)
    n_eff_t = float(n_eff) * (z_quantile() / t_quantile(0.975, len(passes) - 1)) ** 2
    return RepeatMean(mean, n_eff, n_eff_t, wilson(float(mean) * n_eff_t, n_eff_t))


def _effective(groups: Mapping[tuple[int, int], int], mean: Fraction, n: int, repeats: int) -> Fraction:
    """`groups` says how many clusters have such a (sum, size)."""
    least = Fraction(n * n, sum(size * size * many for (_, size), many in groups.items()))
    squares = ((Fraction(total, repeats) - mean * size) ** 2 * many for (total, size), many in groups.items())
    variance = sum(squares, Fraction(0)) / (n * n)
    if variance == 0:
        return least if mean in (0, 1) else Fraction(n * repeats)
    return min(max(mean * (1 - mean) / variance, least), Fraction(n * repeats))
