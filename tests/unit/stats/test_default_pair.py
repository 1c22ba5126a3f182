"""The default comparison picks the interval and the test by the number of draws and by clusters."""

from __future__ import annotations

from fractions import Fraction

import pytest

from denominator.records.values import NotMeasured
from denominator.stats import Pairs, clustered_mean, compare_paired, mcnemar, mcnemar_midp, paired_t, sign_flip, tango

A = [5, 4, 3, 5, 2, 5, 0, 4, 5, 3]
B = [4, 4, 1, 5, 1, 3, 0, 2, 5, 3]


def test_one_draw_a_task_is_tango_and_mcnemar():
    found = compare_paired([1] * 15 + [0] * 5, [1] * 9 + [0] * 11, 1)
    assert found.interval == tango(Pairs(9, 6, 0, 5))
    assert (found.difference, found.p, found.differing, found.units) == (Fraction(6, 20), mcnemar(6, 0), 6, 20)
    assert found.established
    assert "McNemar" in found.method


def test_five_one_way_are_not_enough_unless_mid_p_was_declared():
    arms = ([1] * 14 + [0] * 6, [1] * 9 + [0] * 11)
    assert not compare_paired(*arms, 1).established
    declared = compare_paired(*arms, 1, midp=True)
    assert declared.p == mcnemar_midp(5, 0)
    assert declared.established


def test_several_draws_are_floored_t_and_sign_flip():
    found = compare_paired(A, B, 5)
    diffs = [a - b for a, b in zip(A, B, strict=True)]
    assert found.interval == paired_t(diffs, 5).interval
    assert (found.p, found.differing, found.units) == (sign_flip(diffs).p, 5, 10)
    assert not found.established


def test_the_interval_can_hold_back_what_the_test_would_say():
    found = compare_paired([1] * 7, [0] * 7, 5)
    assert found.p <= Fraction(1, 20)
    assert found.interval.lo < 0
    assert not found.established


def test_tasks_of_one_family_count_once():
    arms = ([3] * 12, [0] * 12)
    assert compare_paired(*arms, 3).established
    families = compare_paired(*arms, 3, clusters=["a"] * 6 + ["b"] * 6)
    assert (families.units, families.differing, families.p) == (2, 2, Fraction(1, 2))
    assert families.difference == 1
    assert not families.established
    assert "cluster" in families.method
    one_draw = compare_paired([1] * 6, [0] * 6, 1, clusters=["a", "a", "b", "b", "c", "c"])
    assert (one_draw.units, one_draw.p) == (3, Fraction(1, 4))


def test_one_large_family_counts_for_little():
    found = clustered_mean([3] * 10, 3, ["big"] * 8 + ["small", "other"])
    assert found.n_eff == Fraction(100, 8 * 8 + 1 + 1)


def test_no_task_or_one_cluster_is_not_measured():
    assert isinstance(compare_paired([], [], 3), NotMeasured)
    assert isinstance(compare_paired([1, 2], [0, 0], 3, clusters=["a", "a"]), NotMeasured)


def test_ragged_counts_are_refused():
    with pytest.raises(ValueError, match=r"0\.\.repeats"):
        compare_paired([6], [0], 5)
    with pytest.raises(ValueError, match="zip"):
        compare_paired([1, 1], [0], 5)
