"""Published and cross-checked values of the groups that are implemented so far."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from denominator.stats import (
    decimal6,
    false_pass_upper,
    manski,
    outer_interval,
    possible_counts,
    repeat_mean,
    tipping_count,
    wilson,
)
from denominator.stats.student import t_quantile

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "stats_golden.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", GOLDEN["single_rate"]["cases"], ids=lambda c: f"{c['k']}of{c['n']}")
def test_wilson(case):
    found = wilson(case["k"], case["n"])
    assert [found.lo, found.hi] == pytest.approx(case["wilson"], abs=1e-9)


def test_nothing_observed_is_the_whole_range_with_a_reason():
    found = wilson(0, 0)
    assert (found.lo, found.hi) == (0.0, 1.0)
    assert found.reason


def test_more_successes_than_trials_is_refused():
    with pytest.raises(ValueError, match="not a count"):
        wilson(3, 2)


@pytest.mark.parametrize("controls", GOLDEN["false_pass_upper_one_sided95"])
def test_false_pass_upper(controls):
    assert false_pass_upper(int(controls)) == pytest.approx(GOLDEN["false_pass_upper_one_sided95"][controls], abs=1e-9)


def test_no_control_bounds_nothing():
    assert false_pass_upper(0) == 1.0


@pytest.mark.parametrize("case", GOLDEN["grim"], ids=lambda c: f"{c['percent']}of{c['n']}")
def test_granularity(case):
    text = f"{case['percent']:.{case['decimals']}f}"
    assert list(possible_counts(text, case["n"])) == case["possible_k"]


@pytest.mark.parametrize("case", GOLDEN["manski_rate"]["cases"], ids=lambda c: f"{c['pass']}+{c['unscoreable']}")
def test_bounds(case):
    bounds = manski(case["pass"], case["unscoreable"], case["n"])
    assert [float(bounds.lo), float(bounds.hi)] == pytest.approx(case["bounds"], abs=1e-9)
    outer = outer_interval(case["pass"], case["unscoreable"], case["n"])
    assert [outer.lo, outer.hi] == pytest.approx(case["outer_wilson_ci"], abs=1e-9)


def test_tipping_count_is_the_number_of_failures_that_overturns():
    assert tipping_count(29, 3, 40, 3 * manski(1, 0, 4).lo) == 2
    assert tipping_count(29, 3, 40, manski(1, 0, 4).lo) is None


@pytest.mark.parametrize("case", GOLDEN["suite_k_repeats"]["cases"], ids=lambda c: f"N{c['N']}K{c['K']}")
def test_repeats(case):
    found = repeat_mean(case["passes"], case["K"])
    assert float(found.mean) == pytest.approx(case["mean"], abs=1e-9)
    assert float(found.n_eff) == pytest.approx(case["n_eff"], abs=1e-9)
    assert found.n_eff_t == pytest.approx(case["n_eff_t"], abs=1e-8)
    assert [found.interval.lo, found.interval.hi] == pytest.approx(case["wilson_neff_t"], abs=1e-9)


@pytest.mark.parametrize(("df", "value"), [(1, 12.706204736), (9, 2.262157163), (39, 2.022690920), (999, 1.962341461)])
def test_t_quantile(df, value):
    assert t_quantile(0.975, df) == pytest.approx(value, abs=1e-8)


def test_decimals_are_half_even_and_never_negative_zero():
    assert decimal6(0.0000005) in {"0.000000", "0.000001"}
    assert [decimal6(value) for value in (0, 1, -0.0)] == ["0.000000", "1.000000", "0.000000"]
    from fractions import Fraction

    assert decimal6(Fraction(1, 2 * 10**6)) == "0.000000"
    assert decimal6(Fraction(3, 2 * 10**6)) == "0.000002"


def test_every_group_of_the_golden_file_is_read_by_some_test():
    here = Path(__file__).parent
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(here.glob("test_golden_*.py")))
    assert [group for group in GOLDEN if f'GOLDEN["{group}"]' not in text] == []


def test_every_public_name_is_there_and_no_module_hides_one():
    import denominator.stats as stats

    modules = {path.stem for path in Path(stats.__file__).parent.glob("*.py")}
    assert not modules & set(stats.__all__)
    assert all(getattr(stats, name) is not None for name in stats.__all__)
    assert set(stats.__all__) == set(stats._WHERE)
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = stats.nothing_like_it
