"""The numbers, bounds and tables of one pair."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from comparing_data import PLAN, arm, fine, split
from denominator.compare.measured import measure
from denominator.compare.pair import compare_sides
from denominator.compare.paired import Paired, pair_up
from denominator.compare.plans import Plan, pairs_of
from denominator.compare.worst_case import outer
from denominator.records.comparisons import Comparison
from denominator.records.envelopes import Comparison as Sealed
from denominator.records.estimates import Estimate
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from denominator.stats import manski_paired

EXACT = Fraction(5, 100)


def estimate(made: Comparison, metric: str) -> Estimate:
    return next(one for one in made.estimates if one.metric == metric)


def paired(a: dict[str, str], b: dict[str, str]) -> Paired:
    found = pair_up(arm("A", a).sheet, arm("B", b).sheet)
    assert isinstance(found, Paired)
    return found


def test_the_worst_case_is_the_paired_manski_bound() -> None:
    a, b = split(10, 6, 2, 5)
    a, b = dict(a) | {"t001": "U", "t017": "U"}, dict(b) | {"t001": "U", "t012": "U", "t020": "U"}
    counts: dict[str, int] = {}
    for task in a:
        letters = (a[task] + b[task]).lower()
        counts[letters] = counts.get(letters, 0) + 1
    bounds, found = manski_paired(counts), outer(paired(a, b), EXACT, midp=False)
    assert not isinstance(found, NotMeasured)
    assert (found.least.difference, found.most.difference) == bounds.difference
    assert found.interval == bounds.interval and found.least.p == bounds.worst_p


def test_golden_five_against_two() -> None:
    made = compare_sides(*(arm(name, marks) for name, marks in zip("AB", split(8, 5, 2, 5), strict=True)), fine())
    found = estimate(made, "difference")
    assert (found.value, round(float(str(found.lo)), 3), round(float(str(found.hi)), 3)) == ("0.150000", -0.123, 0.405)
    assert not isinstance(made.test, NotMeasured) and made.test.p == "0.453125"
    assert not isinstance(made.spread, NotMeasured)
    assert (made.spread.pinned, made.spread.top3_share) == (13, "0.428571")


def test_a_pair_of_alike_arms_has_tango_s_width() -> None:
    same = {f"t{n:02}": "P" for n in range(20)}
    made = compare_sides(arm("A", same, plan=PLAN), arm("B", same, plan=PLAN), fine())
    assert (estimate(made, "difference").lo, estimate(made, "difference").hi) == ("-0.161125", "0.161125")
    assert isinstance(estimate(made, "detectable_difference").value, NotMeasured)


def test_all_differences_alike_have_the_floor_s_width() -> None:
    a, b = {f"t{n:02}": "PPPPF" for n in range(10)}, {f"t{n:02}": "PPPFF" for n in range(10)}
    made = compare_sides(arm("A", a), arm("B", b), fine())
    found = estimate(made, "difference")
    assert found.value == "0.200000" and found.lo < "0.2" < found.hi  # type: ignore[operator]
    assert isinstance(estimate(made, "detectable_difference").value, NotMeasured)


def test_these_tasks_again_is_a_number_of_its_own() -> None:
    a = {f"t{n:02}": "PPPFF" if n % 2 else "PPPPP" for n in range(12)}
    b = {f"t{n:02}": "PFFFF" if n % 3 else "PPPPP" for n in range(12)}
    made = compare_sides(arm("A", a), arm("B", b), fine())
    again, wide = estimate(made, "difference_these_tasks"), estimate(made, "difference")
    assert again.value == wide.value and (again.lo, again.hi) != (wide.lo, wide.hi)
    assert "these tasks again" in again.estimand and "tasks like these" in wide.estimand
    single = compare_sides(*(arm(name, marks) for name, marks in zip("AB", split(8, 5, 2, 5), strict=True)), fine())
    assert isinstance(estimate(single, "difference_these_tasks").value, NotMeasured)


@pytest.mark.parametrize(
    ("change", "says"),
    [({"t01": "PP"}, "t01 has other than 3"), ({"t01": "PPPP", "t02": "P"}, "t01, t02 have other than 3")],
)
def test_uneven_repeats_are_named(change: dict[str, str], says: str) -> None:
    marks = {f"t{n:02}": "PPF" for n in range(1, 10)}
    found = pair_up(arm("A", marks | change).sheet, arm("B", marks).sheet)
    assert isinstance(found, NotMeasured) and says in found.not_measured
    made = compare_sides(arm("A", marks | change), arm("B", marks), fine())
    assert made.verdict.exit == 1 and says in made.verdict.sentence and made.estimates == ()


def test_other_tasks_are_not_intersected() -> None:
    marks = {f"t{n:02}": "P" for n in range(10)}
    found = pair_up(arm("A", marks).sheet, arm("B", marks | {"new": "P"}).sheet)
    assert isinstance(found, NotMeasured) and found.not_measured == "the task sets differ"


def test_transitions_name_whose_it_was() -> None:
    a, b = split(10, 3, 0, 2)
    made = compare_sides(arm("A", a), arm("B", b | {"t011": "U", "t001": "A", "t002": "-"}), fine())
    moves = {(one.a, one.b): one.draws for one in made.transitions}
    assert moves["pass", "unscoreable INFRA"] == ("t011",)
    assert moves["pass", "abstain"] == ("t001",) and moves["pass", "never_started"] == ("t002",)
    assert sum(one.count for one in made.transitions) == 15
    whose = {one.origin: (one.a, one.b) for one in made.origins}
    assert whose["INFRA"] == (0, 1) and whose["never started"] == (0, 1) and "not decided" not in whose


def test_spend_is_compared_where_both_know_it_and_ran_at_once() -> None:
    a, b = split(10, 2, 1, 2)
    cheap = {task: {"usage": Usage(prompt=900, completion=100, complete=True), "started_at": f"2026-10-18T09:{n:02}:00Z"}
             for n, task in enumerate(a)}  # fmt: skip
    dear = {task: one | {"usage": Usage(prompt=1900, completion=100, complete=True)} for task, one in cheap.items()}
    made = compare_sides(arm("A", a, facts=dear), arm("B", b, facts=cheap), fine())
    ratio = estimate(made, "spend_ratio")
    assert ratio.value == "1.833333"  # 30000/12 over 15000/11
    assert str(ratio.lo) < "1.833333" < str(ratio.hi)
    late = {task: one | {"started_at": "2026-10-19T09:00:00Z"} for task, one in cheap.items()}
    apart = estimate(compare_sides(arm("A", a, facts=dear), arm("B", b, facts=late), fine()), "spend_ratio")
    assert isinstance(apart.value, NotMeasured) and "do not overlap" in apart.value.not_measured
    gone = cheap | {"t003": cheap["t003"] | {"usage": Usage()}}
    lost = estimate(compare_sides(arm("A", a, facts=dear), arm("B", b, facts=gone), fine()), "spend_ratio")
    assert isinstance(lost.value, NotMeasured) and "B, t003" in lost.value.not_measured
    unfit = compare_sides(arm("A", a, facts=dear), arm("B", b, facts=cheap), fine(), unfit={"spend": "other region"})
    assert estimate(unfit, "spend_ratio").value == NotMeasured("other region")


def test_median_walls_stand_beside_each_other() -> None:
    a, b = split(5, 2, 1, 2)
    quick = {task: {"wall_ms": 1000 + n, "started_at": "2026-10-18T09:00:00Z"} for n, task in enumerate(a)}
    made = compare_sides(arm("A", a, facts=quick), arm("B", b, facts=quick), fine())
    assert estimate(made, "median_wall_ms_a").value == "1004.500000"
    assert (estimate(made, "median_wall_ms_a").lo, estimate(made, "median_wall_ms_a").hi) == (
        "1001.000000",
        "1008.000000",
    )


def test_every_field_of_a_plan_is_read() -> None:
    sealed = Sealed(primary=("main", "change"), family=("main:other", "bad"))
    assert pairs_of(sealed) == (("main", "change"), ("main", "other"))
    found = measure(paired(*map(dict, split(8, 5, 2, 5))), replace(Plan("", ""), alpha=Fraction(1, 10)))
    assert found.discordant_least == 5
