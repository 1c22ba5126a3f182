"""Pure numbers, standard library only: what is undefined stays undefined, with a reason."""

from denominator.stats.bounds import Bounds, false_pass_upper, manski, outer_interval, tipping_count
from denominator.stats.decimals import decimal6, percent1
from denominator.stats.grim import possible_counts
from denominator.stats.rates import Interval, wilson
from denominator.stats.repeats import RepeatMean, repeat_mean

__all__ = [
    "Bounds",
    "Interval",
    "RepeatMean",
    "decimal6",
    "false_pass_upper",
    "manski",
    "outer_interval",
    "percent1",
    "possible_counts",
    "repeat_mean",
    "tipping_count",
    "wilson",
]
