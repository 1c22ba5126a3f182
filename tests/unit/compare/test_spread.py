"""The spread of repeats as a pure function: bounds hold whatever the unseen were, arms may be swapped, order is nothing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.compare.paired import Paired
from denominator.compare.plans import Plan
from denominator.compare.spread import spread_arm
from denominator.compare.spread_pair import spread_pair
from denominator.judge import judge
from denominator.records.comparisons import Side, TaskPair
from denominator.records.estimates import Estimate
from denominator.records.keys import DrawKey
from denominator.records.rows import Declared, Ledger
from denominator.records.spreads import ArmSpread, PairSpread
from denominator.records.values import NotMeasured
from denominator.records.words import SpreadReport
from judging_data import foreign, key, said, terms

PLAN = Plan(why="", no_p="")
OUTCOMES = {"P": "pass", "F": "fail", "A": "abstain", "U": "unscoreable"}


def paired(a: list[int], b: list[int], repeats: int, unseen: int = 0) -> Paired:
    rows = [TaskPair(task_id=f"t{at:03}", passes_a=x, passes_b=y) for at, (x, y) in enumerate(zip(a, b, strict=True))]
    if unseen:
        rows[0] = replace(rows[0], unseen_a=min(unseen, repeats - rows[0].passes_a))
    return Paired(tuple(rows), repeats)


def report(a: list[int], b: list[int], repeats: int, unseen: int = 0) -> tuple[PairSpread, SpreadReport]:
    return spread_pair(paired(a, b, repeats, unseen), PLAN, ("A", "B"))


@st.composite
def arms(draw: st.DrawFn) -> tuple[list[int], list[int], int]:
    repeats, n = draw(st.integers(1, 5)), draw(st.integers(2, 24))
    counts = st.lists(st.integers(0, repeats), min_size=n, max_size=n)
    return draw(counts), draw(counts), repeats


@given(arms())
@settings(deadline=None)
def test_swapped_arms_change_the_sign_and_the_name_and_nothing_else(found: tuple[list[int], list[int], int]) -> None:
    a, b, repeats = found
    here, word = report(a, b, repeats)
    there, other = report(b, a, repeats)
    assert word == other
    assert Fraction(str(here.difference)) == -Fraction(str(there.difference))
    assert (here.p, here.sign_p, here.pinned, here.top3_share) == (
        there.p,
        there.sign_p,
        there.pinned,
        there.top3_share,
    )
    assert {here.ahead, there.ahead} in ({""}, {"A", "B"})


@given(arms())
@settings(deadline=None)
def test_the_order_of_tasks_changes_no_number(found: tuple[list[int], list[int], int]) -> None:
    a, b, repeats = found
    here, word = report(a, b, repeats)
    there, other = report(a[::-1], b[::-1], repeats)
    assert word == other
    assert replace(here, more_a=(), more_b=()) == replace(there, more_a=(), more_b=())


@given(arms())
@settings(deadline=None)
def test_an_arm_is_named_only_where_the_exact_test_or_that_of_these_tasks_says_so(
    found: tuple[list[int], list[int], int],
) -> None:
    pair, word = report(*found)
    assert bool(pair.ahead) == (word in (SpreadReport.AHEAD, SpreadReport.CONCENTRATED))
    if word is SpreadReport.AHEAD:
        assert pair.separated
        assert Fraction(str(pair.p)) <= Fraction(5, 100)
        assert Fraction(str(pair.lo)) > 0 or Fraction(str(pair.hi)) < 0
    if word is SpreadReport.NO_DIFFERENCE:
        assert not pair.saturated


def test_a_draw_that_could_overturn_it_takes_the_word_away() -> None:
    a, b = [1] * 6 + [0] * 3, [0] * 9
    assert report(a, b, 1)[1] is SpreadReport.AHEAD
    pair, word = spread_pair(
        Paired(tuple(replace(row, unseen_b=1) if row.task_id == "t000" else row for row in paired(a, b, 1).rows), 1),
        PLAN,
        ("A", "B"),
    )
    assert (pair.separated, pair.holds_at_worst) == (True, False)
    assert word is SpreadReport.NO_DIFFERENCE


def test_a_p_value_that_may_not_be_printed_names_no_arm() -> None:
    pair, word = spread_pair(paired([5] * 9, [0] * 9, 5), replace(PLAN, no_p="an undeclared look"), ("A", "B"))
    assert isinstance(pair.p, NotMeasured)
    assert isinstance(pair.sign_p, NotMeasured)
    assert isinstance(pair.these_tasks_p, NotMeasured)
    assert (word, pair.ahead) == (SpreadReport.NO_DIFFERENCE, "")


def test_one_draw_that_differs_on_few_of_many_tasks_is_told_although_most_agree() -> None:
    pair, word = report([1] * 6 + [0] * 34, [0] * 40, 1)
    assert (word, pair.saturated) == (SpreadReport.AHEAD, True)


def arm_of(marks: dict[str, str], flaky: tuple[str, ...] = ()) -> ArmSpread:
    """One judged arm of foreign rows by marks, one letter a repeat."""
    rows, labels, declared = [], [], []
    for task, letters in marks.items():
        for repeat, letter in enumerate(letters, 1):
            place = key(task, repeat)
            rows.append(replace(foreign(task, len(rows) + 1), key=place))
            labels.append(said(task, "outcome", OUTCOMES[letter], key=place))
            declared.append(Declared(draw=DrawKey(task, repeat)))
    ledger = Ledger(
        run_id="r1",
        source="import",
        declared=tuple(declared),
        declared_n=len(declared),
        rows=tuple(rows),
        labels=tuple(labels),
    )
    repeats = max(map(len, marks.values()))
    judged = judge(ledger, terms(repeats=repeats, flaky_tasks=flaky, invalid_ceiling="0.99"))
    shown: Estimate = next(one for one in judged.estimates if one.metric == "headline")
    return spread_arm(Side(name="A", sheet=judged.sheet, verdict=judged.verdict), shown)


@given(st.lists(st.text(alphabet="PFAU", min_size=3, max_size=3), min_size=8, max_size=14))
@settings(deadline=None, max_examples=30)
def test_flips_lie_between_what_the_unseen_draws_allow(letters: list[str]) -> None:
    arm = arm_of({f"t{at:02}": one for at, one in enumerate(letters)})
    if arm.withheld:
        return
    if "U" not in "".join(letters):
        assert 0 <= Fraction(str(arm.flip.value)) <= Fraction(3, 4), "K / (2 (K - 1)) at most"
        return
    for fill in "PF":
        whole = arm_of({f"t{at:02}": one.replace("U", fill) for at, one in enumerate(letters)})
        assert Fraction(str(arm.flip_bounds.lo)) <= Fraction(str(whole.flip.value)) + Fraction(1, 10**6)
        assert Fraction(str(arm.flip_bounds.hi)) >= Fraction(str(whole.flip.value)) - Fraction(1, 10**6)


def test_ragged_repeats_have_no_mean_and_lose_no_task() -> None:
    marks = {f"t{at:02}": "PPF" for at in range(9)} | {"t09": "PP"}
    arm = arm_of(marks)
    assert isinstance(arm.mean.value, NotMeasured)
    assert isinstance(arm.repeats, NotMeasured) and "2 or 3 repeats" in str(arm.repeats)
    assert "nothing was dropped" in arm.caveat
    assert arm.draws == 29


def test_a_task_that_flips_with_the_agent_off_leaves_no_number() -> None:
    arm = arm_of({f"t{at:02}": "PPF" for at in range(9)}, flaky=("t03",))
    assert arm.flaky == ("t03",)
    assert arm.per_task == () and isinstance(arm.passes, NotMeasured)
    assert all(isinstance(one, NotMeasured) for one in (arm.mean.value, arm.mean.lo, arm.flip.value, arm.rerun.sd))
    assert arm.rows_digest == ""


def test_a_declared_family_asks_more_of_each_pair() -> None:
    arms = paired([1] * 7 + [0] * 3, [0] * 10, 1)
    assert spread_pair(arms, PLAN, ("A", "B"))[1] is SpreadReport.AHEAD
    assert spread_pair(arms, replace(PLAN, family=4), ("A", "B"))[1] is SpreadReport.NO_DIFFERENCE


def test_a_declared_family_asks_more_of_exactly_these_tasks_too() -> None:
    arms = paired([5, 5, 5] + [2] * 8, [1, 1, 1] + [2] * 8, 5)
    pair, word = spread_pair(arms, PLAN, ("A", "B"))
    assert word is SpreadReport.CONCENTRATED and float(str(pair.these_tasks_p)) > 0.05 / 20
    assert spread_pair(arms, replace(PLAN, family=20), ("A", "B"))[1] is SpreadReport.NO_DIFFERENCE


def test_after_a_look_that_was_declared_there_is_no_p_value_either() -> None:
    pair, word = spread_pair(paired([5] * 9, [0] * 9, 5), replace(PLAN, looks=1), ("A", "B"))
    assert all(isinstance(one, NotMeasured) for one in (pair.p, pair.sign_p, pair.these_tasks_p))
    assert (word, pair.ahead) == (SpreadReport.NO_DIFFERENCE, "")
