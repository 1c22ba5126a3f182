"""What must hold whatever the counts: inside the range, symmetric, monotone, laws that sum to 1, one answer two ways."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.records.values import NotMeasured
from denominator.stats import (
    Pairs,
    bootstrap,
    by_cluster,
    clopper_pearson,
    clustered_mean,
    cohen_kappa,
    confidence_sequence,
    differences,
    drawn_mean,
    e_value,
    gwet_ac1,
    holm,
    jeffreys,
    krippendorff,
    least_difference,
    leave_one_out,
    manski_paired,
    mcnemar,
    mcnemar_midp,
    mcnemar_power,
    newcombe,
    newcombe_paired,
    paired_t,
    pairs,
    patterns,
    quantile_interval,
    quantile_type7,
    rank_interval,
    ratio_of_sums,
    repeat_mean,
    rerun,
    sign_flip,
    stratified,
    tango,
    these_tasks,
    top_share,
    uneven_mean,
    unpaired_repeats,
    wilson,
)
from denominator.stats.beta import beta_cdf, beta_quantile
from denominator.stats.discordant import rejection_limits
from denominator.stats.exact_laws import bootstrap_law
from denominator.stats.law import Law, law_of, sum_law
from denominator.stats.rates import z_quantile
from denominator.stats.student import t_quantile, t_upper

counts = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
tables = st.builds(Pairs, *[st.integers(0, 40)] * 4).filter(lambda table: table.n > 0)
arms = st.integers(1, 6).flatmap(
    lambda k: st.tuples(st.lists(st.tuples(st.integers(0, k), st.integers(0, k)), min_size=2, max_size=30), st.just(k))
)
ends_of = lambda interval: (interval.lo, interval.hi)  # noqa: E731
near = lambda value: pytest.approx(value, abs=1e-9)  # noqa: E731


def split(rows):
    return [a for a, _ in rows], [b for _, b in rows]


@given(counts)
@settings(max_examples=60)
@pytest.mark.parametrize("interval", [wilson, clopper_pearson, jeffreys, lambda k, n: confidence_sequence(k, n - k)])
def test_a_rate_interval_is_inside_and_mirrors_and_holds_the_rate(interval, case):
    k, n = case
    found, mirror = interval(k, n), interval(n - k, n)
    assert 0.0 <= found.lo <= k / n + 1e-12
    assert k / n - 1e-12 <= found.hi <= 1.0
    assert ends_of(mirror) == near((1 - found.hi, 1 - found.lo))


@given(counts)
@settings(max_examples=60)
@pytest.mark.parametrize("interval", [wilson, clopper_pearson, jeffreys])
def test_one_more_pass_moves_both_ends_up(interval, case):
    k, n = case
    if k < n:
        below, above = interval(k, n), interval(k + 1, n)
        assert below.lo < above.lo
        assert below.hi < above.hi or above.hi == 1.0


@given(counts)
@settings(max_examples=60)
def test_clopper_pearson_ends_solve_their_binomial_tails(case):
    k, n = case
    found = clopper_pearson(k, n)
    if k:
        tail = sum(comb(n, i) * found.lo**i * (1 - found.lo) ** (n - i) for i in range(k, n + 1))
        assert tail == pytest.approx(0.025, abs=1e-8)


@given(st.floats(0.001, 0.999), st.floats(0.3, 200), st.floats(0.3, 200))
@settings(max_examples=80)
def test_beta_quantile_undoes_the_cumulative_function(p, a, b):
    x = beta_quantile(p, a, b)
    assert 0 <= x <= 1
    if 1e-12 < x < 1 - 1e-12:
        assert beta_cdf(a, b, x) == pytest.approx(p, abs=1e-9)
    assert beta_cdf(a, b, 0.3) == near(1 - beta_cdf(b, a, 0.7))


@given(st.integers(1, 500), st.floats(0.01, 0.99))
@settings(max_examples=80)
def test_t_undoes_itself_and_is_wider_than_the_normal(df, p):
    t = t_quantile(p, df)
    assert t_upper(t, df) == near(1 - p)
    assert t_quantile(1 - p, df) == pytest.approx(-t, rel=1e-6, abs=1e-7)
    assert t_quantile(0.975, df) > t_quantile(0.975, df + 1) > z_quantile()


@given(st.lists(st.integers(0, 6), min_size=1, max_size=6).filter(any), st.integers(0, 40), st.integers(-3, 3))
@settings(max_examples=60)
def test_an_exact_law_sums_to_one_and_is_the_convolution(weights, times, first):
    law = sum_law([(law_of(weights, first), times)])
    plain = [1]
    for _ in range(times):
        plain = [
            sum(plain[j] * weights[i - j] for j in range(len(plain)) if 0 <= i - j < len(weights))
            for i in range(len(plain) + len(weights) - 1)
        ]
    if law.exact:
        assert sum(law.weights) == law.total == sum(weights) ** times
        assert [law.mass(first * times + i) for i in range(len(plain))] == [
            Fraction(weight, law.total) for weight in plain
        ]
    whole = sum(weights) ** times
    for i, weight in enumerate(plain):
        low = law.mass(first * times + i)
        assert low <= Fraction(weight, whole) <= low + Fraction(law.lost, law.total)


def test_a_rounded_law_says_what_it_lacks():
    law = sum_law([(law_of([1, 2, 1]), 3000)])
    assert not law.exact
    assert 0 < law.lost < law.total >> 40
    assert law.quantile(Fraction(1, 2)) == 3000
    half = Law(0, (1, 1, 1), 4, exact=False)
    assert (half.quantile(Fraction(1, 2)), half.quantile(Fraction(1, 2), spare=half.lost)) == (1, 0)
    with pytest.raises(ValueError, match="law needs weights"):
        law_of([0, 0])


@given(tables)
@settings(max_examples=80)
@pytest.mark.parametrize("interval", [tango, newcombe_paired])
def test_a_paired_interval_mirrors_and_holds_the_difference(interval, table):
    swapped = Pairs(table.both, table.b_only, table.a_only, table.neither)
    found, mirror = interval(table), interval(swapped)
    assert -1 <= found.lo <= table.difference + 1e-9
    assert table.difference - 1e-9 <= found.hi <= 1
    assert ends_of(mirror) == pytest.approx((-found.hi, -found.lo), abs=1e-7)


@given(tables)
@settings(max_examples=60)
def test_tango_is_the_score_test_turned_round(table):
    """Tango's interval excludes 0 exactly when McNemar's score statistic exceeds the normal quantile."""
    b, c = table.a_only, table.b_only
    found = tango(table)
    if b + c and abs(abs(b - c) / (b + c) ** 0.5 - z_quantile()) > 1e-6:
        assert (found.lo > 0 or found.hi < 0) == (abs(b - c) / (b + c) ** 0.5 > z_quantile())


@given(counts, counts)
@settings(max_examples=60)
def test_an_unpaired_interval_mirrors(a, b):
    assert ends_of(newcombe(*a, *b)) == near(tuple(-end for end in reversed(ends_of(newcombe(*b, *a)))))


@given(st.integers(0, 200), st.integers(0, 200))
@settings(max_examples=60)
def test_three_ways_to_one_exact_p(b, c):
    flip = sign_flip([1] * b + [-1] * c + [0] * 5)
    strata = stratified([1] * b + [0] * c + [1, 0], [0] * b + [1] * c + [1, 0], 1)
    assert mcnemar(b, c) == mcnemar(c, b) <= flip.p <= mcnemar(b, c) + Fraction(1, 10**12)
    assert mcnemar_midp(b, c) <= flip.midp <= mcnemar_midp(b, c) + Fraction(1, 10**12)
    assert mcnemar(b, c) <= strata.p <= mcnemar(b, c) + Fraction(1, 10**12)
    assert flip.exact == (b + c <= 255)
    assert 0 < mcnemar_midp(b, c) <= mcnemar(b, c) <= 1


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
@settings(max_examples=60)
def test_sign_flip_is_the_count_over_all_signs(diffs):
    moved = [d for d in diffs if d]
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, moved, strict=True)))
        for signs in product((1, -1), repeat=len(moved))
    ]
    found = abs(sum(diffs))
    p = Fraction(sum(total >= found for total in sums), len(sums))
    assert sign_flip(diffs).p == p
    assert sign_flip(diffs).midp == (
        1 if found == 0 else p - Fraction(sum(total == found for total in sums), 2 * len(sums))
    )


@given(st.lists(st.integers(-2, 2), min_size=1, max_size=5))
@settings(max_examples=40)
def test_the_bootstrap_law_is_the_count_over_all_resamples(diffs):
    law, n = bootstrap_law(diffs), len(diffs)
    sums = [sum(resample) for resample in product(diffs, repeat=n)]
    assert all(law.mass(total) == Fraction(sums.count(total), n**n) for total in range(-2 * n, 2 * n + 1))
    ordered = sorted(sums)
    low = ordered[-(-len(ordered) * 25 // 1000) - 1]
    assert bootstrap(diffs, 2).lo == low / (2 * n)


@given(arms)
@settings(max_examples=80, deadline=None)
def test_swapping_the_arms_changes_the_sign_only(case):
    rows, k = case
    a, b = split(rows)
    diffs, back = differences(a, b, k), differences(b, a, k)
    assert sign_flip(diffs) == sign_flip(back)
    assert stratified(a, b, k) == stratified(b, a, k)
    for there, here in (
        (paired_t(diffs, k), paired_t(back, k)),
        *([(these_tasks(a, b, k), these_tasks(b, a, k))] if k > 1 else []),
    ):
        assert there.mean == -here.mean
        assert ends_of(there.interval) == near((-here.interval.hi, -here.interval.lo))
        assert -1 <= there.interval.lo <= float(there.mean) <= there.interval.hi <= 1
    low, high = leave_one_out(diffs, k)
    assert low <= paired_t(diffs, k).mean <= high
    share = top_share(diffs)
    assert isinstance(share, NotMeasured) != any(diffs) or 0 < share <= 1


@given(arms)
@settings(max_examples=80, deadline=None)
def test_a_cluster_of_one_task_is_a_task(case):
    rows, k = case
    passes, other = split(rows)
    names = list(range(len(passes)))
    assert clustered_mean(passes, k, names) == repeat_mean(passes, k)
    diffs = differences(passes, other, k)
    clusters = by_cluster(diffs, names)
    assert clusters.sums == diffs
    assert paired_t(clusters.sums, k, sizes=clusters.sizes) == paired_t(diffs, k)
    # The same pack twice over, task beside its copy: nothing was learnt, so nothing gets narrower.
    twice = by_cluster([*diffs, *diffs], [*names, *names])
    assert ends_of(paired_t(twice.sums, k, sizes=twice.sizes).interval) == near(ends_of(paired_t(diffs, k).interval))
    assert sign_flip(twice.sums).p == sign_flip(diffs).p


@given(arms)
@settings(max_examples=60, deadline=None)
def test_the_effective_interval_is_inside_and_mirrors(case):
    rows, k = case
    passes, other = split(rows)
    found, mirror = repeat_mean(passes, k), repeat_mean([k - count for count in passes], k)
    assert ends_of(mirror.interval) == near((1 - found.interval.hi, 1 - found.interval.lo))
    both = unpaired_repeats(passes, k, other, k)
    assert ends_of(unpaired_repeats(other, k, passes, k)) == near((-both.hi, -both.lo))
    if k > 1:
        assert 0 <= rerun(passes, k).flip_rate <= Fraction(k, 2 * (k - 1))


@given(st.lists(st.sampled_from(("pp", "pf", "pu", "fp", "ff", "fu", "up", "uf", "uu")), min_size=1, max_size=40))
@settings(max_examples=60)
def test_every_way_to_fill_the_unseen_is_inside_the_bounds(keys):
    tally = {key: keys.count(key) for key in keys}
    found = manski_paired(tally)
    low, high = found.difference
    for seen in ("p", "f"):
        filled = [key.replace("u", seen) for key in keys]
        table = pairs([key[0] == "p" for key in filled], [key[1] == "p" for key in filled])
        assert low <= table.difference <= high
        assert found.interval.lo - 1e-9 <= tango(table).lo
        assert tango(table).hi <= found.interval.hi + 1e-9


@given(st.lists(st.fractions(0, 1), max_size=8))
@settings(max_examples=60)
def test_holm_never_lowers_a_p_and_keeps_the_order(p_values):
    adjusted = holm(p_values)
    assert all(p <= found <= 1 for p, found in zip(p_values, adjusted, strict=True))
    assert [adjusted[i] for i in sorted(range(len(p_values)), key=p_values.__getitem__)] == sorted(adjusted)
    assert holm(p_values[:1]) == tuple(p_values[:1])


@given(st.integers(0, 40))
def test_an_e_value_is_a_fair_bet(n):
    """Under no difference its mean over all outcomes of n discordant tasks is exactly 1."""
    assert sum(Fraction(comb(n, w), 2**n) * e_value(w, n - w) for w in range(n + 1)) == 1


@given(st.integers(0, 120), st.booleans())
@settings(max_examples=30)
def test_rejection_limits_are_where_the_p_value_crosses(n, midp):
    test = mcnemar_midp if midp else mcnemar
    for m, limit in enumerate(rejection_limits(n, midp=midp)):
        assert limit < 0 or test(m - limit, limit) <= Fraction(1, 20)
        assert test(m - limit - 1, limit + 1) > Fraction(1, 20) or 2 * (limit + 1) > m


@given(st.integers(10, 80), st.integers(1, 10), st.integers(0, 10))
@settings(max_examples=30, deadline=None)
def test_power_grows_with_the_difference_and_stays_below_alpha_without_one(n, tenths, part):
    psi = Fraction(tenths, 10)
    lower, upper = psi * part / 11, psi * (part + 1) / 11
    assert mcnemar_power(n, psi, lower) <= mcnemar_power(n, psi, upper) + 1e-12
    assert mcnemar_power(n, psi, Fraction(0)) <= 0.05
    found = least_difference(n, psi)
    if not isinstance(found, NotMeasured):
        assert mcnemar_power(n, psi, found) >= 0.8


def test_power_is_the_sum_over_all_tables():
    n, psi, delta = 9, Fraction(9, 10), Fraction(7, 10)
    a, b, rest = float(psi + delta) / 2, float(psi - delta) / 2, 1 - float(psi)
    whole = sum(
        comb(n, w) * comb(n - w, x) * a**w * b**x * rest ** (n - w - x)
        for w in range(n + 1)
        for x in range(n + 1 - w)
        if mcnemar(w, x) <= Fraction(1, 20)
    )
    assert mcnemar_power(n, psi, delta) == near(whole)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=60), st.integers(1, 19))
@settings(max_examples=60)
def test_quantiles_lie_between_their_bounds(values, twentieths):
    q = Fraction(twentieths, 20)
    low, high = quantile_interval(values, q)
    point = quantile_type7(values, q)
    assert min(values) <= point <= max(values)
    assert isinstance(low, NotMeasured) or low <= point
    assert isinstance(high, NotMeasured) or point <= high


@given(st.integers(1, 300), st.integers(1, 19))
@settings(max_examples=60)
def test_rank_intervals_cover(n, twentieths):
    q = Fraction(twentieths, 20)
    low, high = rank_interval(n, q)
    start = 0 if isinstance(low, NotMeasured) else low
    end = n if isinstance(high, NotMeasured) else high - 1
    inside = sum(comb(n, i) * q**i * (1 - q) ** (n - i) for i in range(start, end + 1))
    assert inside >= Fraction(95, 100)


@given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(0, 1)), min_size=2, max_size=30), st.integers(1, 1000))
@settings(max_examples=60)
def test_a_ratio_scales_with_its_unit(rows, scale):
    costs, accepted = split(rows)
    found, scaled = ratio_of_sums(costs, accepted), ratio_of_sums([cost * scale for cost in costs], accepted)
    if sum(accepted) == 0:
        assert isinstance(found.value, NotMeasured)
        return
    assert scaled.value == found.value * scale
    if not isinstance(found.interval, NotMeasured):
        assert found.interval.lo <= float(found.value) * (1 + 1e-12)
        assert scaled.interval.lo == pytest.approx(found.interval.lo * scale)


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("xyz")), min_size=2, max_size=60))
@settings(max_examples=60)
def test_agreement_does_not_depend_on_order_or_names(rows):
    items = patterns(split(rows))
    for other in (
        patterns(split(rows[::-1])),
        patterns(split([(b, a) for a, b in rows])),
        patterns(split([(a * 2, b * 2) for a, b in rows])),
    ):
        for statistic in (krippendorff, cohen_kappa, lambda found: gwet_ac1(found, 3)):
            assert statistic(items) == statistic(other)
    value = krippendorff(items)
    assert isinstance(value, NotMeasured) or value <= 1
    if all(a == b for a, b in rows):
        assert isinstance(value, NotMeasured) or value == 1


uneven_tasks = st.lists(
    st.integers(1, 9).flatmap(lambda d: st.tuples(st.integers(0, d), st.just(d))), min_size=2, max_size=20
)


@given(uneven_tasks)
@settings(max_examples=80, deadline=None)
def test_uneven_repeats_mirror_and_stay_inside(tasks):
    passes, draws = [k for k, _ in tasks], [d for _, d in tasks]
    for rate in (uneven_mean, drawn_mean):
        found, mirror = rate(passes, draws), rate([d - k for k, d in tasks], draws)
        assert 0 <= found.interval.lo <= float(found.mean) + 1e-12
        assert float(found.mean) - 1e-12 <= found.interval.hi <= 1
        assert ends_of(mirror.interval) == near((1 - found.interval.hi, 1 - found.interval.lo))
        assert found.n_eff <= sum(draws)


@given(arms)
@settings(max_examples=40, deadline=None)
def test_with_even_repeats_the_two_uneven_rates_are_the_mean_of_task_means(case):
    rows, k = case
    passes, _ = split(rows)
    draws = [k] * len(passes)
    assert uneven_mean(passes, draws) == repeat_mean(passes, k)
    assert drawn_mean(passes, draws).mean == repeat_mean(passes, k).mean
    assert drawn_mean(passes, draws).n_eff == repeat_mean(passes, k).n_eff
