"""The power of the exact test, which is walked from one number of discordant tasks to the next, is the plain sum of chances."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.stats.beta import beta_cdf
from denominator.stats.discordant import rejection_limits
from denominator.stats.power import LowerTail, mcnemar_power


def tail(m, k, share):
    """P(X <= k) for X ~ Binomial(m, share), exactly."""
    return sum(comb(m, x) * share**x * (1 - share) ** (m - x) for x in range(k + 1))


def plain(n, psi, delta, alpha, midp):
    """The same power as a sum of exact chances over all numbers of discordant tasks."""
    share = (psi + abs(delta)) / (2 * psi) if psi else Fraction(1, 2)
    total = Fraction(0)
    for m, limit in enumerate(rejection_limits(n, alpha, midp=midp)):
        if limit >= 0:
            found = tail(m, limit, share) + tail(m, limit, 1 - share)
            total += comb(n, m) * psi**m * (1 - psi) ** (n - m) * found
    return total


@given(
    st.integers(0, 40), st.fractions(0, 1, max_denominator=30), st.fractions(-1, 1, max_denominator=9),
    st.sampled_from([Fraction(1, 100), Fraction(5, 100), Fraction(3, 10)]), st.booleans(),
)  # fmt: skip
def test_power_is_the_sum_of_exact_chances(n, psi, part, alpha, midp):
    delta = psi * part
    found = mcnemar_power(n, psi, delta, alpha, midp=midp)
    assert found == pytest.approx(float(plain(n, psi, delta, alpha, midp)), abs=1e-12)


@given(st.sampled_from([1e-9, 0.001, 0.3, 0.5, 0.999, 1 - 1e-9]), st.lists(st.booleans(), max_size=300))
def test_a_tail_is_followed_from_a_chance_that_no_float_holds(share, steps):
    m, k = 2000, 990
    walked = LowerTail(m, k, share)
    for both in steps:
        m, k = m + 1, k + both
    assert walked.at(m, k) == pytest.approx(beta_cdf(m - k, k + 1, 1.0 - share), abs=1e-11)
