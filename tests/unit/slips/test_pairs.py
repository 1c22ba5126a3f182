"""Two slips that differ in exactly one field: the verdict, and the field by its name. For every field of a slip."""

from __future__ import annotations

import pytest

from denominator.records.slips import SlipBudget
from denominator.records.values import NotMeasured
from denominator.slips.fields import FREE, PROMISES, held
from denominator.slips.lineage import lineage_of, moved_between
from denominator.slips.pair import check, delta
from slip_data import at, changed, entry, other, paths, slip

ALL = paths(slip())
HELD = [path for path in ALL if path not in FREE]
BOX = [path for path in HELD if path.startswith("box.")]
OTHER = [path for path in HELD if not path.startswith("box.")]
MISSING = NotMeasured("nobody knows")
UNKNOWABLE = [path for path in HELD if path.split(".")[0] in ("harness", "model", "pack", "budget")]
LINEAGE_ALONE = ("budget.over_budget",)
NAMES = {"numbers.metric": ("headline", "numbers.n")}


def pair(path: str, value: object):
    old, new = slip(1), slip(2)
    return check(entry(old), entry(changed(new, path, value)))


def test_two_runs_of_one_measurement_are_the_same():
    verdict = check(entry(slip(1)), entry(slip(2)))
    assert (verdict.status, verdict.moved, verdict.exit, verdict.tier) == ("same", (), 0, "quotable")


def test_every_field_is_held_or_free_with_a_reason():
    names = {one.name for one in held(slip())} | {"numbers.metric"}
    assert set(ALL) == (names & set(ALL)) | set(FREE)
    assert names - set(ALL) == set() and not names & set(FREE)


@pytest.mark.parametrize("path", [path for path in OTHER if path != "numbers.metric"])
def test_anything_but_the_box_is_another_measurement(path):
    verdict = pair(path, other(at(slip(2), path)))
    assert (verdict.status, verdict.exit, verdict.tier) == ("other_moved", 3, "none")
    moved = [name for name, _, _ in verdict.moved]
    assert path in moved
    assert moved == [path] or path == "headline"  # a slip about another number has no number of this one


def test_a_number_of_another_name_is_no_number_of_this_headline():
    verdict = pair("numbers.metric", "resolved_rate")
    assert (verdict.status, verdict.exit) == ("other_moved", 3)
    assert "numbers.n" in [name for name, _, _ in verdict.moved]


@pytest.mark.parametrize("path", BOX)
def test_only_the_box_moved_is_internal_at_most(path):
    verdict = pair(path, other(at(slip(2), path)))
    assert (verdict.status, verdict.exit, verdict.tier) == ("box_moved", 3, "internal")
    assert [name for name, _, _ in verdict.moved] == [path]


@pytest.mark.parametrize("path", [path for path in FREE if path not in ("gate.status", "gate.rung")])
def test_a_free_field_moves_nothing(path):
    verdict = pair(path, other(at(slip(2), path)))
    assert (verdict.status, verdict.exit, verdict.moved) == ("same", 0, ())


@pytest.mark.parametrize("path", [*UNKNOWABLE, *BOX])
def test_unknown_matches_nothing_and_no_other_unknown(path):
    missing = () if path == "model.served" else MISSING
    kind = "box_moved" if path.startswith("box.") else "other_moved"
    verdict = pair(path, missing)
    assert verdict.status == kind and path in [name for name, _, _ in verdict.moved]
    both = check(entry(changed(slip(1), path, missing)), entry(changed(slip(2), path, missing)))
    if path.removeprefix("box.") in PROMISES:  # a promise that nobody gave did not move; the tier stays low without it
        assert (both.status, both.tier) == ("same", "external")
    else:
        assert both.status == kind and both.moved[0][1].startswith("unknown: ")


def test_a_field_that_only_one_slip_has_moved():
    for path in ("harness.covers.turn_cap", "model.sampling.top_p"):
        verdict = pair(path, "5")
        assert verdict.moved == ((path, "unknown: the other slip has this field, this one has not", "5"),)


def test_old_and_new_stand_in_their_order_and_the_box_comes_last():
    new = changed(changed(slip(2), "box.host", "elsewhere"), "model.id", "small")
    verdict = check(entry(slip(1)), entry(new))
    assert verdict.moved == (("model.id", "big", "small"), ("box.host", "h", "elsewhere"))
    assert (verdict.status, verdict.exit) == ("other_moved", 3)


def test_a_withheld_number_is_exit_1_where_nothing_moved():
    verdict = pair("gate.status", "blocked")
    assert (verdict.status, verdict.tier, verdict.exit) == ("same", "none", 1)
    assert delta(slip(1), changed(slip(2), "gate.status", "blocked"), verdict) == ""


def test_the_difference_stands_only_where_it_may():
    old, new = slip(1), slip(2)
    assert delta(old, new, check(entry(old), entry(new))) == (
        "headline: 71.4% (10/14) then 78.6% (11/14): +1 of 14, +7.142857 points"
    )
    boxed = changed(new, "box.host", "elsewhere")
    assert delta(old, boxed, check(entry(old), entry(boxed))).endswith("(your own team only: the box moved)")
    moved = changed(new, "model.id", "small")
    assert delta(old, moved, check(entry(old), entry(moved))) == ""


def test_counts_only_give_no_percentage_and_no_points():
    old, new = (changed(slip(n), "gate.rung", "counts") for n in (1, 2))
    assert delta(old, new, check(entry(old), entry(new))) == "headline: 10/14 then 11/14: +1 of 14"


@pytest.mark.parametrize("path", [path for path in HELD if path != "numbers.metric"])
def test_the_lineage_is_of_all_but_the_box_save_its_limits(path):
    one, two = slip(1), changed(slip(1), path, other(at(slip(1), path)))
    same = path in LINEAGE_ALONE or (path.startswith("box.") and not path.endswith("_limit"))
    assert (lineage_of(one) == lineage_of(two)) is same


def test_an_unknown_field_makes_the_lineage_that_of_its_run_alone():
    one, two = (changed(slip(n), "model.snapshot", MISSING) for n in (1, 2))
    assert lineage_of(one) != lineage_of(two)
    assert lineage_of(one) == lineage_of(changed(one, "made_at", "2027-01-01T00:00:00.000Z"))
    assert lineage_of(slip(1)) == lineage_of(slip(2))


def test_two_limits_that_allow_other_amounts_are_two_budgets():
    new = changed(
        slip(2), "budget", SlipBudget(tokens_used=900, tokens_limit=2000, ratio="0.450000", over_budget=False)
    )
    assert moved_between(slip(1), new) == (("budget.tokens_limit", "1000", "2000"),)
