"""Golden values of plans and of agreement between labelers."""

from __future__ import annotations

import json
from fractions import Fraction
from math import ceil
from pathlib import Path

import pytest

from denominator.records.values import NotMeasured
from denominator.stats import (
    Pairs,
    cohen_kappa,
    connor,
    gwet_ac1,
    item_bootstrap,
    kappa_se,
    krippendorff,
    least_difference,
    mcnemar_power,
    mdd_from_data,
    mdd_multiplier,
    mdd_repeats,
    miller,
    mix_shift,
    patterns,
    raw_agreement,
    reliability,
    tango,
    tasks_needed,
)

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "stats_golden.json").read_text(encoding="utf-8"))


def exact(number):
    return Fraction(str(number))


@pytest.mark.parametrize("case", GOLDEN["power_exact_mcnemar"], ids=lambda c: f"n{c['n']}")
def test_power(case):
    found = mcnemar_power(case["n"], exact(case["psi"]), exact(case["delta"]), exact(case["alpha"]))
    assert found == pytest.approx(case["power"], abs=1e-9)


@pytest.mark.parametrize("n", GOLDEN["mdd_exact_mcnemar_80"]["table"])
def test_least_detectable_difference(n):
    for psi, delta in GOLDEN["mdd_exact_mcnemar_80"]["table"][n].items():
        found = least_difference(int(n), Fraction(psi))
        if delta is None:
            assert isinstance(found, NotMeasured)
        else:
            assert float(found) == pytest.approx(delta, abs=2e-4)


def test_small_packs_cannot_answer():
    assert all(isinstance(least_difference(n, Fraction(psi, 10)), NotMeasured) for n in (8, 12) for psi in (1, 3, 5))
    assert float(least_difference(16, Fraction(1, 2))) == pytest.approx(0.474, abs=1e-3)


def test_tasks_for_a_difference():
    assert tasks_needed(Fraction(1, 5), Fraction(1, 10)) == 168
    assert isinstance(tasks_needed(Fraction(1, 5), Fraction(1, 10), most=100), NotMeasured)
    assert isinstance(tasks_needed(Fraction(1, 5), Fraction(0)), NotMeasured)
    assert tasks_needed(Fraction(1), Fraction(1)) == 6
    for psi, delta in (
        (Fraction(1, 4), Fraction(1, 5)),
        (Fraction(1, 2), Fraction(1, 4)),
        (Fraction(9, 10), Fraction(1, 2)),
    ):
        enough = [mcnemar_power(n, psi, delta) >= 0.8 for n in range(150)]
        assert tasks_needed(psi, delta) == next(n for n in range(150) if all(enough[n : n + 21]))
    assert mcnemar_power(40, Fraction(1, 5), Fraction(1, 10)) == pytest.approx(0.17, abs=0.005)


@pytest.mark.parametrize("case", GOLDEN["samplesize_mcnemar_connor"], ids=lambda c: f"{c['psi']}/{c['delta']}")
def test_connor(case):
    found = connor(exact(case["psi"]), exact(case["delta"]))
    assert found == pytest.approx(case["n_real"], abs=1e-7)
    assert ceil(found) == case["n"]


@pytest.mark.parametrize("case", GOLDEN["samplesize_miller"]["cases"], ids=lambda c: f"{c['delta']}K{c['KA']}")
def test_miller(case):
    found = miller(case["delta"], case["omega2"], case["sA2"], case["sB2"], case["KA"], case["KB"])
    assert found == pytest.approx(case["n_real"], abs=1e-7)


def test_multipliers():
    group = GOLDEN["mdd_multiplier"]
    assert mdd_multiplier() == pytest.approx(group["normal"], abs=1e-9)
    for n, value in group["t_by_n"].items():
        assert mdd_multiplier(int(n)) == pytest.approx(value, abs=1e-8)


@pytest.mark.parametrize(
    ("n", "row"),
    [
        (40, {1: 0.208, 3: 0.130, 5: 0.109, 10: 0.089}),
        (60, {1: 0.170, 3: 0.106, 5: 0.089, 10: 0.072}),
        (20, {5: 0.153}),
    ],
)
def test_least_difference_with_repeats(n, row):
    for repeats, value in row.items():
        assert mdd_repeats(n, repeats, 0.2, 0.2, 0.02, normal=True) == pytest.approx(value, abs=6e-4)
        assert mdd_repeats(n, repeats, 0.2, 0.2, 0.02) > value - 6e-4


def test_resolution_from_a_pilot():
    group = GOLDEN["mdd_from_data"]
    assert mdd_from_data(group["d"], normal=True) == pytest.approx(group["mdd_normal"], abs=1e-9)
    assert mdd_from_data(group["d"]) == pytest.approx(group["mdd_t"], abs=1e-9)
    assert isinstance(mdd_from_data([0.0] * 20), NotMeasured)
    assert tango(Pairs(20, 0, 0, 0)).hi == pytest.approx(0.1611251573, abs=1e-8)


def ratings_of(table):
    names, first, second = ("x", "y"), [], []
    for row, counts in zip(names, table, strict=True):
        for column, count in zip(names, counts, strict=True):
            first += [row] * count
            second += [column] * count
    return patterns([first, second])


@pytest.mark.parametrize("case", GOLDEN["kappa"]["cases"], ids=lambda c: str(c["po"]) + str(c["table"][0][0]))
def test_kappa(case):
    items = ratings_of(case["table"])
    assert float(raw_agreement(items)) == case["po"]
    assert float(cohen_kappa(items)) == pytest.approx(case["kappa"], abs=1e-9)
    assert kappa_se(items) == pytest.approx(case["kappa_se_fleiss"], abs=1e-9)
    assert float(gwet_ac1(items, 2)) == pytest.approx(case["gwet_ac1"], abs=1e-9)
    assert float(cohen_kappa(items)) == pytest.approx(case["published_kappa"], abs=1e-4)


@pytest.mark.parametrize("case", GOLDEN["krippendorff_alpha_nominal"], ids=lambda c: str(c["published"]))
def test_alpha(case):
    marks = [[None if mark is None else str(mark) for mark in row] for row in case["ratings"]]
    found = krippendorff(patterns(marks))
    assert float(found) == pytest.approx(case["alpha"], abs=1e-11)
    assert float(found) == pytest.approx(case["published"], abs=5e-4)


def test_agreement_of_few_items_is_flagged():
    few = reliability(patterns([["x", "y"] * 20, ["x", "y"] * 20]), 2)
    assert (few.items, few.alpha, few.enough, few.reliable) == (40, 1, False, False)
    many = reliability(patterns([["x", "y"] * 30, ["x", "y"] * 30]), 2)
    assert (many.items, many.enough, many.reliable) == (60, True, True)
    assert many.confusion == (("x", "x", 30), ("y", "y", 30))


def test_the_paradox_of_kappa_is_shown_beside_the_others():
    items = ratings_of([[85, 3], [2, 0]])
    found = reliability(items, 2)
    assert float(found.raw) == pytest.approx(0.944, abs=1e-3)
    assert float(found.kappa) == pytest.approx(-0.0274, abs=0.01)
    assert float(found.ac1) == pytest.approx(0.94, abs=5e-3)
    assert found.enough
    assert not found.reliable


def test_one_value_only_has_no_agreement_beyond_chance():
    found = reliability(patterns([["x"] * 60, ["x"] * 60]), 2)
    assert isinstance(found.alpha, NotMeasured)
    assert isinstance(found.alpha_interval, NotMeasured)
    assert isinstance(found.kappa_interval, NotMeasured)
    assert found.raw == 1
    assert found.ac1 == 1
    assert not found.reliable


def test_the_interval_of_agreement_is_the_same_every_time_in_any_order():
    first, second = list("xxyyxyxxyy" * 6), list("xxyyxyxyyx" * 6)
    once = reliability(patterns([first, second]), 2)
    again = reliability(patterns([first[::-1], second[::-1]]), 2)
    assert once == again
    assert once.alpha_interval.lo < float(once.alpha) < once.alpha_interval.hi


def test_a_resample_without_a_value_is_the_worst_for_either_end():
    turns = iter(range(1000))

    def value(items):
        turn = next(turns)
        return NotMeasured("no variation") if turn < 10 else Fraction(turn)

    found = item_bootstrap(patterns([["x", "y"], ["x", "y"]]), value)
    assert (found.lo, found.hi) == (24, 984)
    rare = reliability(patterns([["x"] * 59 + ["y"], ["x"] * 59 + ["y"]]), 2)
    assert rare.alpha == 1
    assert isinstance(rare.alpha_interval, NotMeasured)
    assert not rare.reliable


def test_mixes_of_two_seeds():
    same = mix_shift(["pass", "fail", "loop"] * 5, ["pass", "fail", "loop"] * 5)
    assert all(shift.adjusted_p == 1 for shift in same)
    moved = {shift.name: shift for shift in mix_shift(["pass"] * 20, ["pass"] * 10 + ["loop"] * 10)}
    assert (moved["loop"].only_first, moved["loop"].only_second) == (0, 10)
    assert moved["loop"].adjusted_p == Fraction(2 * 2, 2**10)
