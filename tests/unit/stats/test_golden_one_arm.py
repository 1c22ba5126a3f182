"""Golden values of one arm: exact intervals, re-run error, flips, quantiles, ratios, pass@k."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from denominator.records.values import NotMeasured
from denominator.stats import (
    clopper_pearson,
    flip_rate,
    jeffreys,
    least_n_for_upper,
    nearest_rank,
    outer_interval,
    paired_log_ratio,
    pass_at_k,
    pass_hat_k,
    possible_counts,
    quantile_interval,
    quantile_type7,
    quotient,
    rank_interval,
    ratio_of_sums,
    rerun,
    split_spend,
    wilson,
)
from denominator.stats.imbens_manski import critical, imbens_manski
from denominator.stats.quantiles import MEDIAN, P95, chance_max_exceeds
from denominator.stats.ratio import jackknife_log_se
from denominator.stats.reruns import flip_interval

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "stats_golden.json").read_text(encoding="utf-8"))


def ends(interval):
    return [interval.lo, interval.hi]


@pytest.mark.parametrize("case", GOLDEN["single_rate"]["cases"], ids=lambda c: f"{c['k']}of{c['n']}")
def test_exact_intervals(case):
    assert ends(clopper_pearson(case["k"], case["n"])) == pytest.approx(case["clopper_pearson"], abs=1e-9)
    assert ends(jeffreys(case["k"], case["n"])) == pytest.approx(case["jeffreys"], abs=1e-9)
    found = {"wilson": wilson, "clopper_pearson": clopper_pearson, "jeffreys": jeffreys}
    for name, printed in case["published"].items():
        assert ends(found[name](case["k"], case["n"])) == pytest.approx(printed, abs=5e-4)


@pytest.mark.parametrize("case", GOLDEN["wilson_naive_z196"], ids=lambda c: f"{c['k']}of{c['n']}")
def test_a_rounded_quantile_gives_other_digits(case):
    assert ends(wilson(case["k"], case["n"], z=case["z"])) == pytest.approx(case["wilson"], abs=1e-9)
    assert ends(wilson(case["k"], case["n"])) != pytest.approx(case["naive_printed"], abs=1e-3)


@pytest.mark.parametrize("case", GOLDEN["suite_k_repeats"]["cases"], ids=lambda c: f"N{c['N']}K{c['K']}")
def test_rerun_error(case):
    found = rerun(case["passes"], case["K"])
    assert found.se == pytest.approx(case["se_fixed_tasks"], abs=1e-9)
    assert found.sd_single_pass == pytest.approx(case["sd_single_pass_fixed"], abs=1e-9)
    assert found.spread95 == pytest.approx(case["rerun_spread95_single_pass"], abs=1e-9)
    assert float(found.flip_rate) == pytest.approx(case["flip_rate_pairwise"], abs=1e-9)
    assert bool(found.interval.reason) == (case["se_fixed_tasks"] == 0)


def test_one_repeat_shows_no_rerun_error():
    assert isinstance(rerun([1, 0, 1], 1), NotMeasured)
    assert isinstance(flip_rate([], 3), NotMeasured)


def test_no_flip_is_not_certainty():
    found = rerun([3, 3, 0, 3], 3)
    assert found.flip_interval.hi == pytest.approx(1 - 0.05**0.25)
    assert found.interval.reason


def test_flip_rates():
    two, several = GOLDEN["flip_rate"]["cases"]
    passes = [a + b for a, b in zip(two["run1"], two["run2"], strict=True)]
    found = rerun(passes, 2)
    assert found.flip_rate * len(passes) == two["flips"]
    assert float(found.flip_rate) == two["rate"]
    assert ends(flip_interval(found.flip_rate, two["n"])) == pytest.approx(two["wilson"], abs=1e-9)
    assert found.sd_single_pass == pytest.approx(two["sd_single_pass_est"])
    assert float(flip_rate(several["passes"], several["K"])) == several["rate"]


@pytest.mark.parametrize("case", GOLDEN["pass_at_k"], ids=lambda c: f"n{c['n']}c{c['c']}k{c['k']}")
def test_pass_at_k(case):
    assert float(pass_at_k(case["n"], case["c"], case["k"])) == pytest.approx(case["pass_at_k"], abs=1e-9)
    assert float(pass_hat_k(case["n"], case["c"], case["k"])) == pytest.approx(case["pass_hat_k"], abs=1e-9)


def test_more_draws_than_there_are_is_not_measured():
    assert isinstance(pass_at_k(3, 2, 4), NotMeasured)
    assert isinstance(pass_hat_k(3, 2, 4), NotMeasured)
    with pytest.raises(ValueError, match="not a count"):
        pass_at_k(3, 4, 1)


def test_quantiles():
    group = GOLDEN["quantiles"]
    data = group["data"]
    assert float(quantile_type7(data, MEDIAN)) == pytest.approx(group["p50_type7"])
    assert float(quantile_type7(data, P95)) == pytest.approx(group["p95_type7_linear"])
    assert nearest_rank(data, P95) == group["p95_nearest_rank_inverted_cdf"]
    assert list(quantile_interval(data, MEDIAN)) == group["median_ci"]
    assert list(rank_interval(12, MEDIAN)) == group["median_ci_ranks_1based"]
    low, high = quantile_interval(data, P95)
    assert low == sorted(data)[group["p95_ci_ranks_1based"][0] - 1]
    assert isinstance(high, NotMeasured)
    minimum = group["min_n_for_p95_upper"]
    assert least_n_for_upper(P95) == minimum["one_sided_95"]
    assert least_n_for_upper(P95, MEDIAN + 19 * MEDIAN / 20) == minimum["two_sided_975"]
    assert float(chance_max_exceeds(12, P95)) == pytest.approx(group["P(max>=true p95)_n12"], abs=1e-9)


@pytest.mark.parametrize(("table", "q"), [("rank_table_median", MEDIAN), ("rank_table_p95", P95)])
def test_rank_tables(table, q):
    for n, ranks in GOLDEN["quantiles"][table].items():
        found = [None if isinstance(rank, NotMeasured) else rank for rank in rank_interval(int(n), q)]
        assert found == ranks, n


def test_no_value_has_no_quantile():
    assert isinstance(nearest_rank([], P95), NotMeasured)
    assert isinstance(quantile_type7([], MEDIAN), NotMeasured)
    assert all(isinstance(end, NotMeasured) for end in quantile_interval([], MEDIAN))


def test_tokens_per_accepted_patch():
    full, none = GOLDEN["qap"]["cases"]
    found = ratio_of_sums(full["tokens"], full["accepted"])
    assert float(found.value) == full["qap"]
    assert found.se == pytest.approx(full["se_delta"], abs=1e-6)
    assert ends(found.interval) == pytest.approx(full["log_delta_t_ci"], abs=1e-5)
    assert jackknife_log_se(full["tokens"], full["accepted"]) == pytest.approx(full["log_jackknife_se"], abs=1e-9)
    wins = [cost for cost, won in zip(full["tokens"], full["accepted"], strict=True) if won]
    assert sum(wins) / len(wins) == pytest.approx(full["mean_tokens_accepted_only"])
    assert quantile_type7(wins, MEDIAN) == full["median_tokens_accepted_only"]
    empty = ratio_of_sums(none["tokens"], none["accepted"])
    assert isinstance(empty.value, NotMeasured)
    assert empty.at_least == none["lower_bound"]


def test_few_accepted_have_no_interval():
    found = ratio_of_sums([10] * 8, [1] * 4 + [0] * 4)
    assert found.value == 20
    assert isinstance(found.interval, NotMeasured)


def test_paired_ratio():
    group = GOLDEN["qap_ratio_paired"]
    whole = [[int(value) for value in group[name]] for name in ("tokens_A", "accepted_A", "tokens_B", "accepted_B")]
    found = paired_log_ratio(*whole)
    assert float(found.value) == pytest.approx(group["ratio"], abs=1e-9)
    assert ends(found.interval) == pytest.approx(group["ci"], abs=1e-8)


def test_where_retries_went():
    group = GOLDEN["retry_ledger"]
    rows = [(task, tokens, bool(won)) for task, _, tokens, won in group["rows_task_attempt_tokens_accepted"]]
    found = split_spend(rows)
    won = {task for task, _, accepted in rows if accepted}
    assert found.total == group["tokens"]
    assert len(won) / len(group["frozen_tasks"]) == group["acceptance_rate"]
    assert found.total / len(won) == group["qap"]
    assert float(found.overhead_on_accepted) == pytest.approx(group["retry_overhead_on_accepted"], abs=1e-9)
    assert float(found.dead_share) == pytest.approx(group["dead_spend_share"], abs=1e-9)
    assert float(found.retry_tax) == pytest.approx(group["retry_tax"], abs=1e-9)
    assert float(found.overhead_share) == pytest.approx(group["retry_overhead_share"], abs=1e-9)


def test_spend_does_not_depend_on_the_order_of_rows():
    rows = [("a", 5, False), ("b", 7, False), ("a", 3, True)]
    assert split_spend(rows) == split_spend(rows[::-1])


@pytest.mark.parametrize("case", GOLDEN["manski_rate"]["cases"], ids=lambda c: f"{c['pass']}+{c['unscoreable']}")
def test_imbens_manski(case):
    passes, unseen, n = case["pass"], case["unscoreable"], case["n"]
    assert ends(imbens_manski(passes, unseen, n)) == pytest.approx(case["imbens_manski_ci"], abs=1e-7)
    lo, hi = passes / n, (passes + unseen) / n
    se = max((rate * (1 - rate) / n) ** 0.5 for rate in (lo, hi))
    assert critical(hi - lo, se) == pytest.approx(case["imbens_manski_c"], abs=1e-7)
    assert passes / (n - unseen) == pytest.approx(case["complete_case"], abs=1e-9)
    assert outer_interval(passes, unseen, n).lo <= lo


def test_undefined_is_not_zero():
    from denominator.stats import cohen_kappa, patterns

    by_name = {case["metric"]: case for case in GOLDEN["undefined_not_zero"]}
    none = [name for name, case in by_name.items() if case["expected"] is None]
    assert none == ["rsr", "qap", "retry_tax", "resolved_rate", "kappa"]
    assert isinstance(quotient(0, by_name["rsr"]["interrupted"], "nothing was interrupted"), NotMeasured)
    assert isinstance(quotient(0, by_name["resolved_rate"]["eligible"], "no row counts"), NotMeasured)
    assert isinstance(ratio_of_sums([5], [by_name["qap"]["accepted"]]).value, NotMeasured)
    assert isinstance(split_spend([("t", by_name["retry_tax"]["tokens"], True)]).retry_tax, NotMeasured)
    assert isinstance(cohen_kappa(patterns([["x", "x"], ["x", "x"]])), NotMeasured)
    assert ends(wilson(0, by_name["wilson"]["n"])) == by_name["wilson"]["expected"]


def test_printed_numbers_that_were_wrong():
    printed = {case["naive"]: case for case in GOLDEN["naive_printed_numbers"]}
    assert ends(wilson(29, 40)) == pytest.approx(printed["gate 29/40"]["right"], abs=1e-4)
    assert not any(possible_counts(percent, 40) for percent in ("71", "64"))
    assert not any(possible_counts(percent, 60) for percent in ("71", "74"))
    assert possible_counts("77", 60) == (46,)
    assert possible_counts("62", 16) == (10,)
    assert possible_counts("81", 16) == (13,)
    assert possible_counts("71", 120) == (85,)
