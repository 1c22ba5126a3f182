"""Golden values of two arms: paired and unpaired intervals, exact tests and laws, bounds, equivalence, early looks."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from denominator.records.values import NotMeasured
from denominator.stats import (
    Pairs,
    bootstrap,
    complete_case,
    confidence_sequence,
    differences,
    e_min_discordant,
    e_value,
    equivalence_min_n,
    first_rejection,
    holm,
    manski_paired,
    mcnemar,
    mcnemar_midp,
    min_discordant,
    newcombe,
    newcombe_paired,
    paired_t,
    pinned_both,
    sign_counts,
    sign_flip,
    stratified,
    tango,
    these_tasks,
    tost,
    within_margin,
)
from denominator.stats.hybrids import agresti_caffo, agresti_min, bonett_price

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "stats_golden.json").read_text(encoding="utf-8"))


def ends(interval):
    return [interval.lo, interval.hi]


def table_of(case):
    return Pairs(case["both_pass"], case["A_only"], case["B_only"], case["both_fail"])


INTERVALS = {"tango": tango, "newcombe10": newcombe_paired, "bonett_price": bonett_price, "agresti_min": agresti_min}


@pytest.mark.parametrize("case", GOLDEN["paired_k1"]["cases"], ids=lambda c: f"{c['A_only']}v{c['B_only']}of{c['n']}")
def test_one_draw_a_task(case):
    table = table_of(case)
    assert float(table.difference) == pytest.approx(case["diff_A_minus_B"], abs=1e-9)
    for name, interval in INTERVALS.items():
        assert ends(interval(table)) == pytest.approx(case[name], abs=1e-8 if name == "tango" else 1e-9), name
        if name in case["published"]:
            assert ends(interval(table)) == pytest.approx(case["published"][name], abs=6e-4), name
    assert mcnemar(table.a_only, table.b_only) == Fraction(case["mcnemar_exact_fraction"])
    assert float(mcnemar_midp(table.a_only, table.b_only)) == pytest.approx(case["mcnemar_midp"], abs=1e-9)


def test_tango_without_a_discordant_task_has_a_closed_form():
    square = GOLDEN["_meta"]["z975"] ** 2
    for n in (1, 8, 20, 133):
        assert ends(tango(Pairs(n, 0, 0, 0))) == pytest.approx(
            [-square / (n + square), square / (n + square)], abs=1e-9
        )


def test_no_task_says_nothing():
    nothing = Pairs(0, 0, 0, 0)
    assert ends(tango(nothing)) == ends(newcombe_paired(nothing)) == ends(newcombe(0, 0, 1, 2)) == [-1.0, 1.0]
    assert tango(nothing).reason
    assert isinstance(nothing.difference, NotMeasured)
    assert isinstance(bootstrap([], 1), NotMeasured)
    assert isinstance(paired_t([1], 1), NotMeasured)
    assert isinstance(these_tasks([], [], 3), NotMeasured)
    assert sign_flip([]).p == 1


@pytest.mark.parametrize("case", GOLDEN["sign_test"], ids=lambda c: f"{c['wins_a']}v{c['wins_b']}")
def test_sign_test(case):
    assert float(mcnemar(case["wins_a"], case["wins_b"])) == case["p"]


def test_least_number_of_discordant_tasks():
    group = GOLDEN["min_discordant_for_p05"]
    assert min_discordant() == group["exact_two_sided"]
    assert min_discordant(midp=True) == group["midp"]
    assert e_min_discordant() == group["e_process_alpha05"]
    for n, p in group["table_exact_all_one_way"].items():
        assert float(mcnemar(int(n), 0)) == p


@pytest.mark.parametrize(
    "case", GOLDEN["paired_bootstrap_percentile_exact"]["cases"], ids=lambda c: f"{c['n']}:{c['B_only']}v{c['A_only']}"
)
def test_exact_bootstrap(case):
    diffs = [1] * case["B_only"] + [-1] * case["A_only"] + [0] * (case["n"] - case["B_only"] - case["A_only"])
    assert ends(bootstrap(diffs, 1)) == pytest.approx(case["ci"], abs=1e-12)


@pytest.mark.parametrize("case", GOLDEN["unpaired_k1"], ids=lambda c: f"{c['x1']}of{c['n1']}v{c['x2']}of{c['n2']}")
def test_different_tasks(case):
    counts = (case["x1"], case["n1"], case["x2"], case["n2"])
    assert ends(newcombe(*counts)) == pytest.approx(case["newcombe_hybrid"], abs=1e-9)
    assert ends(agresti_caffo(*counts)) == pytest.approx(case["agresti_caffo"], abs=1e-9)
    if case["published_newcombe"]:
        assert ends(newcombe(*counts)) == pytest.approx(case["published_newcombe"], abs=1e-4)


@pytest.mark.parametrize("case", GOLDEN["paired_k_repeats"]["cases"], ids=lambda c: f"K{c['K']}d{c['diff']}")
def test_repeats_of_two_arms(case):
    a, b, k = case["passes_A"], case["passes_B"], case["K"]
    diffs = differences(a, b, k)
    floored, plain, within = paired_t(diffs, k), paired_t(diffs, k, floor=Fraction(0)), these_tasks(a, b, k)
    assert float(floored.mean) == pytest.approx(case["diff"])
    assert ends(floored.interval) == pytest.approx(case["t_floor1_ci"], abs=1e-9)
    assert ends(plain.interval) == pytest.approx(case["t_ci"], abs=1e-9)
    assert plain.se == pytest.approx(case["se_population"], abs=1e-9)
    assert within.se == pytest.approx(case["se_fixed"], abs=1e-9)
    flip = sign_flip(diffs)
    assert flip.exact
    assert (float(flip.p), float(flip.midp)) == (case["signflip_exact_p"], case["signflip_midp"])
    assert float(stratified(a, b, k).p) == pytest.approx(case["stratified_exact_p_these_tasks"], abs=1e-9)
    wins, losses, p = case["sign_test"]
    assert sign_counts(diffs) == (wins, losses)
    assert float(mcnemar(wins, losses)) == p
    assert pinned_both(a, b, k) == case["tasks_pinned_same_extreme"]


def test_bounds_of_a_pair():
    case = GOLDEN["manski_paired"]["cases"][0]
    found = manski_paired(case["counts"])
    assert [float(end) for end in found.difference] == case["diff_bounds"]
    assert [found.worst.a_only, found.worst.b_only] == case["worst_case_b_c"]
    assert [found.best.a_only, found.best.b_only] == case["best_case_b_c"]
    assert ends(found.interval) == pytest.approx(case["outer_tango_ci"], abs=1e-8)
    assert float(found.worst_p) == case["exact_p_worst"]
    assert float(complete_case(case["counts"])) == pytest.approx(case["complete_case_diff"], abs=1e-9)
    assert not found.a_ahead(Fraction(1, 20))
    assert manski_paired({"pf": 9, "ff": 5}).a_ahead(Fraction(1, 20))
    assert not manski_paired({"fp": 9, "ff": 5}).a_ahead(Fraction(1, 20))
    assert not manski_paired({"pf": 9, "ff": 1, "uf": 1, "pu": 20}).a_ahead(Fraction(1, 1000))


def test_bounds_from_margins_alone_are_wider():
    example = GOLDEN["manski_paired"]["marginal_example_naive"]
    (k_a, u_a), (k_b, u_b), n = example["A"], example["B"], example["n"]
    assert [(k_a - k_b - u_b) / n, (k_a + u_a - k_b) / n] == pytest.approx(example["diff_bounds"])


@pytest.mark.parametrize("case", GOLDEN["holm"], ids=len)
def test_holm(case):
    assert [float(p) for p in holm([Fraction(str(p)) for p in case["p"]])] == pytest.approx(case["adjusted"])


@pytest.mark.parametrize("case", GOLDEN["anytime_valid"]["cases"], ids=lambda c: f"{c['wins']}v{c['losses']}")
def test_e_values(case):
    assert float(e_value(case["wins"], case["losses"])) == pytest.approx(case["E"], abs=1e-8)


@pytest.mark.parametrize("case", GOLDEN["anytime_valid"]["cs_cases"], ids=lambda c: f"{c['s']}+{c['f']}")
def test_confidence_sequence(case):
    assert ends(confidence_sequence(case["s"], case["f"])) == pytest.approx(case["cs"], abs=1e-8)


def test_the_first_look_that_rejects():
    assert first_rejection([0, 1, 1, 1, 1, 0, 1, 1, 1, 1, -1]) == 10
    assert first_rejection([1, -1] * 40) is None


@pytest.mark.parametrize(("name", "level"), [("ci90", Fraction(90, 100)), ("ci95", Fraction(95, 100))])
def test_tasks_for_equivalence(name, level):
    for margin, n in GOLDEN["equivalence_min_n_zero_discordant"][name].items():
        assert equivalence_min_n(Fraction(margin), level) == n
        assert tango(Pairs(n, 0, 0, 0), level).hi < float(margin) <= tango(Pairs(n - 1, 0, 0, 0), level).hi


def test_equality_needs_a_margin_not_a_zero():
    assert tost(Pairs(16, 0, 0, 0), Fraction(15, 100)).equivalent
    wide = tost(Pairs(10, 5, 4, 1), Fraction(10, 100))
    assert wide.interval.lo < 0 < wide.interval.hi
    assert not wide.equivalent
    ahead = tost(Pairs(10, 8, 0, 2), Fraction(10, 100))
    assert ahead.not_worse
    assert not ahead.equivalent
    behind = tost(Pairs(10, 0, 8, 2), Fraction(10, 100))
    assert not behind.not_worse
    assert not behind.equivalent
    with pytest.raises(ValueError, match="margin"):
        within_margin(wide.interval, Fraction(0))
