"""Do the default intervals cover, and does the default verdict keep its word? Against the table of an independent study.

One draw a task: exact sums over all outcomes. Five draws: simulated, with numbers that are the same on every machine.
Difficulty laws, over tasks: all alike, beta, and deterministic ones (a task always passes or never).
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import accumulate
from math import comb, exp, lgamma

import pytest

from denominator.stats import Pairs, compare_paired, mcnemar, paired_t, repeat_mean, sign_flip, tango, wilson
from denominator.stats.prng import draw_u64

pytestmark = pytest.mark.slow
DRAWS = 1500
COVERAGE_LAWS = {"alike": 0.7, "sloped": (2, 1), "u-shaped": (0.5, 0.25), "easy": (1.5, 0.17), "deterministic": None}
NULL_LAWS = {"alike": 0.6, "middling": (2, 1.5), "u-shaped": (0.4, 0.3)}
TWO_THIRDS = 2 / 3


def beta_log(a, b):
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def chance(law, passes, fails):
    """E[p^passes (1-p)^fails] over tasks."""
    if law is None:
        return TWO_THIRDS * (fails == 0) + (1 - TWO_THIRDS) * (passes == 0)
    if isinstance(law, float):
        return law**passes * (1 - law) ** fails
    return exp(beta_log(law[0] + passes, law[1] + fails) - beta_log(*law))


def draw(weights, n, stream):
    """n places of `weights`, each as likely as its weight, sorted: only how often each came matters."""
    steps = list(accumulate(weights))
    return tuple(sorted(bisect_right(steps, draw_u64(4, stream, i) / 2**64 * steps[-1]) for i in range(n)))


@cache
def covered_by(places, repeats):
    return repeat_mean(places, repeats).interval


@pytest.mark.parametrize(("n", "mean", "worst"), [(10, 0.949, 0.920), (20, 0.953, 0.942), (40, 0.953, 0.945)])
def test_one_draw_a_task_covers_the_rate_of_tasks_like_these(n, mean, worst):
    found = []
    for law in COVERAGE_LAWS.values():
        p = chance(law, 1, 0)
        inside = [k for k in range(n + 1) if wilson(k, n).lo <= p <= wilson(k, n).hi]
        found.append(sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in inside))
    assert sum(found) / len(found) == pytest.approx(mean, abs=0.005)
    assert min(found) == pytest.approx(worst, abs=0.008)


@pytest.mark.parametrize(("n", "mean", "worst"), [(10, 0.967, 0.951), (20, 0.958, 0.942), (40, 0.954, 0.934)])
def test_five_draws_a_task_cover_the_rate_of_tasks_like_these(n, mean, worst):
    found = []
    for name, law in COVERAGE_LAWS.items():
        weights = [comb(5, c) * chance(law, c, 5 - c) for c in range(6)]
        intervals = [covered_by(draw(weights, n, f"{name}/{n}/{turn}"), 5) for turn in range(DRAWS)]
        p = chance(law, 1, 0)
        found.append(sum(interval.lo <= p <= interval.hi for interval in intervals) / DRAWS)
    assert sum(found) / len(found) == pytest.approx(mean, abs=0.009)
    assert min(found) == pytest.approx(worst, abs=0.02)


@pytest.mark.parametrize(("n", "exact", "score"), [(10, 0.002, 0.033), (20, 0.016, 0.044), (40, 0.022, 0.040)])
def test_one_draw_a_task_rarely_establishes_a_difference_that_is_none(n, exact, score):
    by_test, by_interval = [], []
    for law in NULL_LAWS.values():
        half = chance(law, 1, 1)
        tables = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
        mass = {
            (b, c): comb(n, b) * comb(n - b, c) * half ** (b + c) * (1 - 2 * half) ** (n - b - c) for b, c in tables
        }
        assert sum(mass.values()) == pytest.approx(1)
        likely = [table for table in tables if mass[table] > 1e-7]
        by_test.append(sum(mass[t] for t in likely if mcnemar(*t) <= 0.05))
        outside = [t for t in likely if tango_excludes(n, *t)]
        by_interval.append(sum(mass[t] for t in outside))
        assert all(tango_excludes(n, *t) for t in likely if mcnemar(*t) <= 0.05)
    assert max(by_test) <= 0.05
    assert sum(by_test) / 3 == pytest.approx(exact, abs=0.005)
    assert sum(by_interval) / 3 == pytest.approx(score, abs=0.009)  # The study is a simulation; these sums are not.


def tango_excludes(n, b, c):
    interval = tango(Pairs(0, b, c, n - b - c))
    return interval.lo > 0 or interval.hi < 0


@cache
def judged(diffs):
    """The exact test alone, the interval alone, and both: over five draws, passes of A 0..5 and of B 0..5."""
    mean = paired_t(diffs, 5).interval
    both = compare_paired([max(0, d) for d in diffs], [max(0, -d) for d in diffs], 5).established
    return sign_flip(diffs).p <= 0.05, mean.lo > 0 or mean.hi < 0, both


@pytest.mark.parametrize(("n", "exact", "interval"), [(10, 0.017, 0.009), (20, 0.030, 0.038), (40, 0.038, 0.045)])
def test_five_draws_a_task_rarely_establish_a_difference_that_is_none(n, exact, interval):
    rates = []
    for name, law in NULL_LAWS.items():
        cells = [(a, b) for a in range(6) for b in range(6)]
        weights = [comb(5, a) * comb(5, b) * chance(law, a + b, 10 - a - b) for a, b in cells]
        found = [
            judged(
                tuple(
                    sorted(cells[place][0] - cells[place][1] for place in draw(weights, n, f"null/{name}/{n}/{turn}"))
                )
            )
            for turn in range(DRAWS)
        ]
        assert all(both == (test and away) for test, away, both in found)
        rates.append([sum(column) / DRAWS for column in zip(*found, strict=True)])
    means = [sum(column) / 3 for column in zip(*rates, strict=True)]
    assert means[:2] == pytest.approx([exact, interval], abs=0.009)
    assert max(both for _, _, both in rates) <= 0.05
