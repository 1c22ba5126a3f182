"""Which sentence a pair may climb to, and what stops it there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from comparing_data import PLAN, Marks, arm, blocked, fine, split
from denominator.compare.ladder import REACHED_BY
from denominator.compare.pair import compare_sides
from denominator.records.comparisons import Comparison
from denominator.records.envelopes import Comparison as Sealed
from denominator.records.replays import Look
from denominator.records.values import NotMeasured
from denominator.records.words import Rung
from denominator.wire.codec import to_json

MARGIN = Sealed(primary=("A", "B"), question="non_inferior", margin="0.15")
LOOK = Look(at="2026-10-18T09:12:00Z", runs=("a", "b"), tasks=10, more_a=3, more_b=0)


def told(marks: tuple[Marks, Marks], found: Any = None, **over: Any) -> Comparison:
    """Both arms sealed under the plan, unless `plan` is None."""
    extra = {key: over.pop(key) for key in ("looks", "holm", "no_p", "unfit") if key in over}
    over.setdefault("plan", PLAN)
    a, b = arm("A", marks[0], **over), arm("B", marks[1], **over)
    made = compare_sides(a, b, found or fine(), **extra)
    to_json(made)
    return made


def rung(made: Comparison) -> str:
    return made.verdict.rung


def test_everything_in_order_establishes_for_tasks_like_these() -> None:
    made = told(split(10, 8, 0, 10), selection="all open defects of one quarter")
    assert rung(made) == Rung.TASKS_LIKE_THESE
    assert made.verdict.lifts == ()
    assert "Why these tasks: all open defects of one quarter." in made.verdict.sentence
    assert "A - B = +0.286" in made.verdict.sentence and "p = 0.007812" in made.verdict.sentence


@pytest.mark.parametrize("a_only", range(6))
def test_fewer_than_six_are_never_established(a_only: int) -> None:
    made = told(split(10, a_only, 0, 10))
    assert rung(made) == Rung.DIRECTIONAL
    assert "it takes 6" in made.verdict.sentence
    more = 6 - a_only
    assert f"{more} more discordant task{'' if more == 1 else 's'}, all in the same direction" in made.verdict.lifts


def test_declared_midp_needs_five() -> None:
    plan = Sealed(primary=("A", "B"), test="midp")
    assert rung(told(split(10, 5, 0, 10), plan=plan)) == Rung.TASKS_LIKE_THESE
    assert "it takes 5" in told(split(10, 4, 0, 10), plan=plan).verdict.sentence
    assert rung(told(split(10, 5, 0, 10))) == Rung.DIRECTIONAL


def test_six_of_seven_say_how_many_more() -> None:
    made = told(split(10, 6, 1, 10))
    assert "2 more discordant tasks, all in the same direction" in made.verdict.lifts
    assert any("more tasks at K = 1" in line for line in made.verdict.lifts)


def test_without_a_plan_or_a_treatment_it_stays_a_direction() -> None:
    marks = split(10, 12, 0, 10)
    bare = told(marks, plan=None)
    assert rung(bare) == Rung.DIRECTIONAL
    assert "declare a primary comparison before the run" in bare.verdict.lifts
    none = told(marks, fine(treatment=()))
    assert rung(none) == Rung.DIRECTIONAL and "seal a treatment field" in none.verdict.lifts
    late = told(marks, fine(declared_before=False))
    assert rung(late) == Rung.DIRECTIONAL and "seal a treatment field" in late.verdict.lifts


def test_a_plan_of_other_arms_or_two_plans_is_none() -> None:
    marks = split(10, 12, 0, 10)
    made = told(marks, plan=Sealed(primary=("A", "C")))
    assert rung(made) == Rung.DIRECTIONAL
    assert not isinstance(made.test, NotMeasured) and isinstance(made.test.p, NotMeasured)
    a, b = arm("A", marks[0], plan=PLAN), arm("B", marks[1], plan=Sealed(primary=("A", "B"), alpha="0.10"))
    assert rung(compare_sides(a, b, fine())) == Rung.DIRECTIONAL


def test_facts_lower_to_counts_and_silence_leaves_a_direction() -> None:
    marks = split(10, 12, 0, 10)
    quiet = told(marks, plan=None, caps=("GL012 missing-controls", "GL001 missing-envelope-fields"))
    assert rung(quiet) == Rung.DIRECTIONAL
    for name in ("GL024 few-tasks", "GL029 wide-bounds", "GL023 lowered-claims"):
        made = told(marks, plan=None, caps=(name,))
        assert rung(made) == Rung.COUNTS and made.estimates == () and isinstance(made.test, NotMeasured)
        assert made.more_a and made.transitions
    assert rung(told(marks, caps=("GL012 missing-controls",))) == Rung.COUNTS
    model = told(marks, plan=None, caps=("GL026 non-test-scorer",), scorer="model")
    assert rung(model) == Rung.COUNTS
    assert rung(told(marks, plan=None, caps=("GL026 non-test-scorer",), scorer="")) == Rung.DIRECTIONAL


def test_the_worst_case_must_hold() -> None:
    a, b = split(20, 8, 0, 10)
    assert rung(told((a, b | {"t021": "U", "t022": "U"}))) == Rung.TASKS_LIKE_THESE
    made = told((a, b | {"t021": "U", "t022": "U", "t023": "U"}))
    assert rung(made) == Rung.DIRECTIONAL
    assert "the worst case over draws without a verdict does not hold" in made.verdict.sentence
    assert any("3 draws without one" in line for line in made.verdict.lifts)
    assert rung(told((a | {"t030": "U", "t031": "-"}, b))) == Rung.TASKS_LIKE_THESE


def test_on_this_pack_needs_repeats_and_no_plan() -> None:
    a = {f"t{n}": "PPPPP" if n < 4 else "FFFFF" for n in range(10)}
    b = {f"t{n}": "FFFFF" for n in range(10)}
    made = told((a, b), plan=None)
    assert rung(made) == Rung.ON_THIS_PACK
    assert "say it of tasks other than these" in made.verdict.may_not
    assert "established on this pack, not for other tasks" in made.verdict.sentence
    assert rung(told(({k: v[0] for k, v in a.items()}, {k: v[0] for k, v in b.items()}), plan=None)) == Rung.DIRECTIONAL
    unseen = dict.fromkeys(("t0", "t1", "t2", "t3"), "UUUUU")
    assert rung(told((a, b | unseen), plan=None)) == Rung.DIRECTIONAL


def test_not_worse_by_a_sealed_margin() -> None:
    made = told(split(60, 1, 1, 38), plan=MARGIN)
    assert rung(made) == Rung.NOT_WORSE and made.verdict.lifts == ()
    assert "the pass rate of B is not lower than that of A by more than the sealed margin 0.15" in made.verdict.sentence
    assert "90 % interval" in made.verdict.sentence
    found = next(one for one in made.estimates if one.metric == "difference_for_margin")
    assert (found.level, found.value) == ("0.9", "0.000000")
    assert rung(told(split(20, 8, 0, 10), plan=MARGIN)) != Rung.NOT_WORSE


def test_the_margin_is_about_the_second_arm_of_the_sealed_pair() -> None:
    marks = split(20, 0, 10, 10)
    assert rung(told(marks, plan=MARGIN)) == Rung.NOT_WORSE
    assert rung(told(marks, plan=replace(MARGIN, primary=("B", "A")))) != Rung.NOT_WORSE
    turned = compare_sides(arm("B", marks[1], plan=MARGIN), arm("A", marks[0], plan=MARGIN), fine())
    assert rung(turned) == Rung.NOT_WORSE and "B - A = +0.250" in turned.verdict.sentence


def test_unseen_draws_count_against_the_margin() -> None:
    a, b = split(60, 1, 1, 38)
    gone = {f"t{n:03}": "U" for n in range(1, 15)}
    assert rung(told((a, b | gone), plan=MARGIN)) == Rung.DIRECTIONAL


def test_a_family_shares_the_error_of_a_margin() -> None:
    plan = replace(MARGIN, margin="0.05")
    assert rung(told(split(40, 0, 0, 16), plan=plan)) == Rung.NOT_WORSE
    shared = told(split(40, 0, 0, 16), plan=replace(plan, family=("A:C",)))
    assert rung(shared) == Rung.DIRECTIONAL
    assert next(one for one in shared.estimates if one.metric == "difference_for_margin").level == "0.95"


def test_equivalence_needs_both_ends() -> None:
    plan = Sealed(primary=("A", "B"), question="equivalent", margin="0.10")
    assert rung(told(split(60, 1, 1, 38), plan=plan)) == Rung.EQUIVALENT
    assert rung(told(split(20, 0, 10, 10), plan=plan)) == Rung.NOT_WORSE
    none = told(split(60, 1, 1, 38), plan=replace(plan, margin=""))
    assert rung(none) == Rung.DIRECTIONAL and "seal a margin" in none.verdict.lifts
    few = told(split(10, 0, 0, 2), plan=plan)
    assert rung(few) == Rung.DIRECTIONAL, "an interval that contains 0 is not equality"
    assert "more tasks, until the interval is inside the sealed margin" in few.verdict.lifts


def test_repeats_use_the_floored_interval_for_a_margin() -> None:
    same = {f"t{n:02}": "PPFPF" for n in range(40)}
    assert rung(told((same, same), plan=MARGIN)) == Rung.NOT_WORSE
    few = dict(list(same.items())[:8])
    assert rung(told((few, few), plan=replace(MARGIN, margin="0.05"))) == Rung.DIRECTIONAL


def test_looks_within_the_number_declared_leave_the_e_value() -> None:
    plan = replace(PLAN, looks=3)
    strong = told(split(10, 9, 0, 10), plan=plan, looks=2)
    assert rung(strong) == Rung.TASKS_LIKE_THESE
    assert not isinstance(strong.test, NotMeasured) and isinstance(strong.test.p, NotMeasured)
    assert strong.test.e_value == "51.200000"
    assert "e-value 51.200000" in strong.verdict.sentence and "p =" not in strong.verdict.sentence
    assert rung(told(split(10, 7, 0, 10), plan=plan, looks=2)) == Rung.DIRECTIONAL
    assert rung(told(split(10, 9, 0, 10), plan=plan, looks=4)) == Rung.DIRECTIONAL


def test_a_look_written_in_the_terms_counts() -> None:
    a, b = split(10, 12, 0, 10)
    sides = [arm(name, marks, plan=PLAN) for name, marks in (("A", a), ("B", b))]
    seen = replace(sides[0], sheet=replace(sides[0].sheet, terms=replace(sides[0].sheet.terms, looks=(LOOK,))))
    found = compare_sides(seen, sides[1], fine())
    assert rung(found) == Rung.DIRECTIONAL
    assert "it was looked at once before its end and none were declared" in found.verdict.sentence
    assert "declare the looks before the run, or do not look" in found.verdict.lifts


def test_a_replay_above_its_ceiling_answers_raise_the_repeats() -> None:
    sides = [arm(name, marks, plan=PLAN) for name, marks in zip("AB", split(10, 12, 0, 10), strict=True)]
    assert rung(compare_sides(*sides, fine())) == Rung.TASKS_LIKE_THESE
    flips = replace(sides[1], caps=("GL046 flips-above-ceiling",))
    made = compare_sides(sides[0], flips, fine())
    assert rung(made) == Rung.COUNTS
    assert "Raise the repeats: a replay of B flips above its ceiling." in made.verdict.sentence
    assert "A - B" not in made.verdict.sentence and "p =" not in made.verdict.sentence


def test_one_pair_of_a_declared_family_pays_for_the_whole() -> None:
    plan = Sealed(primary=("A", "B"), family=("A:C", "B:C"))
    made = told(split(10, 7, 0, 10), plan=plan)
    assert not isinstance(made.test, NotMeasured)
    assert (made.test.p, made.test.adjusted, made.test.family) == ("0.015625", "0.046875", 3)
    assert rung(made) == Rung.TASKS_LIKE_THESE
    assert rung(told(split(10, 6, 0, 10), plan=plan)) == Rung.DIRECTIONAL


def test_a_blocked_side_and_a_not_comparable_pair_hold_no_number() -> None:
    a, b = split(10, 8, 0, 10)
    stopped = compare_sides(blocked(arm("A", a), "unbalanced-ledger"), arm("B", b), fine())
    apart = compare_sides(arm("A", a), arm("B", b), fine(status="not_comparable", reasons=("model_id differs",)))
    assert (stopped.verdict.exit, apart.verdict.exit) == (1, 3)
    for made in (stopped, apart):
        assert rung(made) == Rung.REFUSED
        assert made.estimates == () and made.table == () and made.transitions == () and made.more_a == ()
        assert isinstance(made.test, NotMeasured) and isinstance(made.worst, NotMeasured)
    assert "GL999 unbalanced-ledger" in stopped.verdict.sentence


def test_a_hidden_split_stays_hidden() -> None:
    a, b = split(10, 8, 0, 10)
    hidden = replace(blocked(arm("A", a), "violated-control"), split_hidden=True)
    made = compare_sides(hidden, arm("B", b), fine())
    assert "pass" not in made.a.exits and made.a.exits["pass_or_fail"] == 28
    assert made.b.exits["pass"] == 10


def test_clusters_are_the_units() -> None:
    a, b = split(0, 12, 0, 8)
    families = {task: f"f{int(task[1:]) % 4}" for task in a}
    made = told((a, b), family=families)
    assert (made.unit, made.units) == ("family", 4)
    assert rung(made) == Rung.DIRECTIONAL
    assert "4 clusters differ, it takes 6" in made.verdict.sentence
    assert "2 more discordant clusters, all in the same direction, each 3 of 5 passes apart" in made.verdict.lifts
    sealed = told((a, b), families=tuple(families.items()))
    assert (sealed.unit, sealed.units, sealed.test) == (made.unit, made.units, made.test)
    single = told((a, b), family=dict.fromkeys(a, "one"))
    assert rung(single) == Rung.COUNTS


def test_demands_follow_from_what_is_said_and_not_from_an_order() -> None:
    assert Rung.TASKS_LIKE_THESE not in REACHED_BY[Rung.NOT_WORSE]
    assert Rung.EQUIVALENT not in REACHED_BY[Rung.TASKS_LIKE_THESE]
    assert Rung.EQUIVALENT in REACHED_BY[Rung.NOT_WORSE]
    assert set(REACHED_BY) == set(Rung) - {Rung.REFUSED, Rung.RATE}
