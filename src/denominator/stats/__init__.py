"""Pure numbers, standard library only: what is undefined stays undefined, with a reason.

Names are imported when they are first asked for, so that a verb that needs one interval does not pay for all.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from denominator.stats.agreement import Patterns, krippendorff, patterns
    from denominator.stats.anytime import confidence_sequence, e_min_discordant, e_value, first_rejection
    from denominator.stats.bounds import Bounds, false_pass_upper, manski, outer_interval, tipping_count
    from denominator.stats.clusters import Clusters, by_cluster, clustered_mean, drawn_mean
    from denominator.stats.concentration import leave_one_out, pinned_both, sign_counts, top_share
    from denominator.stats.decimals import decimal6, percent1
    from denominator.stats.default_pair import PairedResult, compare_paired
    from denominator.stats.discordant import mcnemar, mcnemar_midp, min_discordant
    from denominator.stats.equivalence import Equivalence, equivalence_min_n, tost, within_margin
    from denominator.stats.exact_laws import ExactP, bootstrap, differences, sign_flip, stratified
    from denominator.stats.exact_rates import clopper_pearson, jeffreys
    from denominator.stats.families import holm
    from denominator.stats.fourfold import Pairs, pairs
    from denominator.stats.grim import any_count, cut_counts, possible_counts, possible_denominators, prints_as
    from denominator.stats.hybrids import mover, newcombe, newcombe_paired
    from denominator.stats.kappa import cohen_kappa, gwet_ac1, kappa_interval, kappa_se, raw_agreement, two_labelers
    from denominator.stats.labelers import Reliability, item_bootstrap, reliability
    from denominator.stats.mixes import ClassShift, mix_shift
    from denominator.stats.paired_bounds import PairedBounds, complete_case, manski_paired
    from denominator.stats.paired_mean import PairedMean, paired_t, these_tasks
    from denominator.stats.passk import pass_at_k, pass_hat_k
    from denominator.stats.planning import (
        mdd_floored,
        mdd_from_data,
        mdd_multiplier,
        mdd_repeats,
        miller,
        tasks_floored,
    )
    from denominator.stats.power import connor, least_difference, mcnemar_power, tasks_needed
    from denominator.stats.quantiles import (
        least_n_for_upper,
        nearest_rank,
        quantile_interval,
        quantile_type7,
        rank_interval,
    )
    from denominator.stats.quotients import quotient
    from denominator.stats.rates import Interval, wilson
    from denominator.stats.ratio import Ratio, paired_log_ratio, ratio_of_sums
    from denominator.stats.repeats import RepeatMean, repeat_mean, uneven_mean
    from denominator.stats.reruns import Rerun, flip_rate, rerun
    from denominator.stats.spend import Spend, split_spend
    from denominator.stats.tango_score import tango
    from denominator.stats.unpaired import unpaired_repeats

_HOME = {
    "agreement": "Patterns krippendorff patterns",
    "anytime": "confidence_sequence e_min_discordant e_value first_rejection",
    "bounds": "Bounds false_pass_upper manski outer_interval tipping_count",
    "clusters": "Clusters by_cluster clustered_mean drawn_mean",
    "concentration": "leave_one_out pinned_both sign_counts top_share",
    "decimals": "decimal6 percent1",
    "default_pair": "PairedResult compare_paired",
    "discordant": "mcnemar mcnemar_midp min_discordant",
    "equivalence": "Equivalence equivalence_min_n tost within_margin",
    "exact_laws": "ExactP bootstrap differences sign_flip stratified",
    "exact_rates": "clopper_pearson jeffreys",
    "families": "holm",
    "fourfold": "Pairs pairs",
    "grim": "any_count cut_counts possible_counts possible_denominators prints_as",
    "hybrids": "mover newcombe newcombe_paired",
    "kappa": "cohen_kappa gwet_ac1 kappa_interval kappa_se raw_agreement two_labelers",
    "labelers": "Reliability item_bootstrap reliability",
    "mixes": "ClassShift mix_shift",
    "paired_bounds": "PairedBounds complete_case manski_paired",
    "paired_mean": "PairedMean paired_t these_tasks",
    "passk": "pass_at_k pass_hat_k",
    "planning": "mdd_floored mdd_from_data mdd_multiplier mdd_repeats miller tasks_floored",
    "power": "connor least_difference mcnemar_power tasks_needed",
    "quantiles": "least_n_for_upper nearest_rank quantile_interval quantile_type7 rank_interval",
    "quotients": "quotient",
    "rates": "Interval wilson",
    "ratio": "Ratio paired_log_ratio ratio_of_sums",
    "repeats": "RepeatMean repeat_mean uneven_mean",
    "reruns": "Rerun flip_rate rerun",
    "spend": "Spend split_spend",
    "tango_score": "tango",
    "unpaired": "unpaired_repeats",
}
_WHERE = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [
    "Bounds",
    "ClassShift",
    "Clusters",
    "Equivalence",
    "ExactP",
    "Interval",
    "PairedBounds",
    "PairedMean",
    "PairedResult",
    "Pairs",
    "Patterns",
    "Ratio",
    "Reliability",
    "RepeatMean",
    "Rerun",
    "Spend",
    "any_count",
    "bootstrap",
    "by_cluster",
    "clopper_pearson",
    "clustered_mean",
    "cohen_kappa",
    "compare_paired",
    "complete_case",
    "confidence_sequence",
    "connor",
    "cut_counts",
    "decimal6",
    "differences",
    "drawn_mean",
    "e_min_discordant",
    "e_value",
    "equivalence_min_n",
    "false_pass_upper",
    "first_rejection",
    "flip_rate",
    "gwet_ac1",
    "holm",
    "item_bootstrap",
    "jeffreys",
    "kappa_interval",
    "kappa_se",
    "krippendorff",
    "least_difference",
    "least_n_for_upper",
    "leave_one_out",
    "manski",
    "manski_paired",
    "mcnemar",
    "mcnemar_midp",
    "mcnemar_power",
    "mdd_floored",
    "mdd_from_data",
    "mdd_multiplier",
    "mdd_repeats",
    "miller",
    "min_discordant",
    "mix_shift",
    "mover",
    "nearest_rank",
    "newcombe",
    "newcombe_paired",
    "outer_interval",
    "paired_log_ratio",
    "paired_t",
    "pairs",
    "pass_at_k",
    "pass_hat_k",
    "patterns",
    "percent1",
    "pinned_both",
    "possible_counts",
    "possible_denominators",
    "prints_as",
    "quantile_interval",
    "quantile_type7",
    "quotient",
    "rank_interval",
    "ratio_of_sums",
    "raw_agreement",
    "reliability",
    "repeat_mean",
    "rerun",
    "sign_counts",
    "sign_flip",
    "split_spend",
    "stratified",
    "tango",
    "tasks_floored",
    "tasks_needed",
    "these_tasks",
    "tipping_count",
    "top_share",
    "tost",
    "two_labelers",
    "uneven_mean",
    "unpaired_repeats",
    "wilson",
    "within_margin",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    return value
