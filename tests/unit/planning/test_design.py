"""Planning tables cell by cell, the least sizes, monotone in tasks and repeats, and designs that cannot answer."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.planning.design import Asked, cell, design, least_found, least_tasks, margin_tasks, power_at
from denominator.records.designs import Cell
from denominator.records.values import NotMeasured
from denominator.stats import mdd_multiplier, mdd_repeats

TENTH = Fraction(1, 10)
PSIS = tuple(Fraction(number, 10) for number in range(1, 6))
# tasks -> least difference at psi 0.1 to 0.5, "" where none is found whatever happens
ONE_REPEAT: dict[int, tuple[str, ...]] = {
    8: ("", "", "", "", ""),
    10: ("", "", "", "", ""),
    12: ("", "", "", "", ""),
    16: ("", "", "", "", "0.474"),
    20: ("", "", "", "0.383", "0.431"),
    30: ("", "", "0.274", "0.321", "0.362"),
    40: ("", "0.195", "0.242", "0.282", "0.317"),
    60: ("", "0.162", "0.201", "0.235", "0.264"),
    100: ("0.088", "0.128", "0.159", "0.182", "0.203"),
    200: ("0.064", "0.091", "0.111", "0.129", "0.143"),
}
# (tasks, repeats) -> least difference by the normal multiplier 2.8016 at flip 0.2, omega2 0.02
NORMAL = {
    (40, 1): "0.208", (40, 3): "0.130", (40, 5): "0.109", (40, 10): "0.089",
    (60, 1): "0.170", (60, 3): "0.106", (60, 5): "0.089", (60, 10): "0.072", (20, 5): "0.153",
}  # fmt: skip


@pytest.mark.parametrize("tasks", ONE_REPEAT)
def test_one_repeat_cell_by_cell(tasks: int) -> None:
    for psi, printed in zip(PSIS, ONE_REPEAT[tasks], strict=True):
        found = cell(Asked(difference=TENTH, psi=psi), tasks, 1).mdd
        if printed:
            assert isinstance(found, str)
            assert float(found) == pytest.approx(float(printed), abs=6e-4)
        else:
            assert isinstance(found, NotMeasured)


@pytest.mark.parametrize(("tasks", "repeats"), NORMAL)
def test_repeats_cell_by_cell(tasks: int, repeats: int) -> None:
    normal = mdd_repeats(tasks, repeats, 0.2, 0.2, 0.02, normal=True)
    assert normal == pytest.approx(float(NORMAL[tasks, repeats]), abs=5e-4)
    if repeats > 1:
        found = float(str(cell(Asked(difference=TENTH), tasks, repeats).mdd))
        by_t = normal * mdd_multiplier(tasks) / mdd_multiplier()
        assert found == pytest.approx(by_t, abs=1e-6)


@pytest.mark.parametrize(
    ("n", "psi", "delta", "power"),
    [
        (20, "0.35", "0.15", 0.098777048), (40, "0.3", "0.2", 0.567379454), (60, "0.2", "0.15", 0.705324329),
        (100, "0.2", "0.1", 0.544445428), (200, "0.2", "0.1", 0.875300483), (8, "0.5", "0.5", 0.14453125), (5, "1", "1", 0.0),
        (40, "0.2", "0.1", 0.172),
    ],
)  # fmt: skip
def test_power_at_one_repeat(n: int, psi: str, delta: str, power: float) -> None:
    found = power_at(Asked(difference=Fraction(delta), psi=Fraction(psi)), n, 1)
    assert found == pytest.approx(power, abs=5e-4 if power == 0.172 else 1e-9)


def test_least_sizes() -> None:
    asked = Asked(difference=TENTH)
    assert least_tasks(asked, 1) == 168
    found = [least_tasks(asked, k) for k in (3, 5, 10)]
    for k, n in zip((3, 5, 10), found, strict=True):
        assert isinstance(n, int)
        assert float(str(cell(asked, n, k).mdd)) <= 0.1 < float(str(cell(asked, n - 1, k).mdd))
    midp = least_tasks(replace(asked, midp=True), 1)
    assert isinstance(midp, int)
    assert midp < 168
    assert isinstance(least_tasks(Asked(difference=Fraction(1, 1000)), 5), NotMeasured)


ASKED = st.builds(
    Asked,
    difference=st.fractions(Fraction(1, 50), Fraction(1, 2), max_denominator=50),
    psi=st.fractions(Fraction(1, 2), Fraction(1), max_denominator=20),
    flip=st.fractions(Fraction(1, 20), Fraction(1, 2), max_denominator=20),
    omega2=st.fractions(Fraction(0), Fraction(1, 4), max_denominator=40),
    power=st.fractions(Fraction(3, 5), Fraction(19, 20), max_denominator=20),
    alpha=st.fractions(Fraction(1, 100), Fraction(1, 10), max_denominator=100),
)


@given(asked=ASKED, tasks=st.integers(6, 200), repeats=st.integers(2, 8), more=st.integers(1, 50))
@settings(deadline=None, max_examples=40)
def test_more_tasks_or_repeats_never_find_less(asked: Asked, tasks: int, repeats: int, more: int) -> None:
    here = least_found(asked, tasks, repeats)
    if isinstance(here, NotMeasured):
        return
    for found in (least_found(asked, tasks + more, repeats), least_found(asked, tasks, repeats + more)):
        assert not isinstance(found, NotMeasured)
        assert found <= here + 1e-12


@given(asked=ASKED, tasks=st.integers(6, 120), repeats=st.integers(2, 6))
@settings(deadline=None, max_examples=40)
def test_the_least_difference_has_the_asked_power(asked: Asked, tasks: int, repeats: int) -> None:
    found = least_found(asked, tasks, repeats)
    if isinstance(found, NotMeasured):
        return
    power = power_at(replace(asked, difference=Fraction(found)), tasks, repeats)
    assert isinstance(power, float)
    assert power >= float(asked.power) - 1e-9
    assert 0 <= power <= 1


@pytest.mark.parametrize(
    ("tasks", "repeats", "difference", "says"),
    [
        (12, 1, "0.5", "compare nothing"),
        (5, 5, "0.5", "takes 6 tasks"),
        (40, 1, "0.1", "below the floor"),
        (20, 1, "0.3", "even if every discordant task favours one arm"),
        (8, 5, "0.3", "narrowest interval"),
        (100, 1, "0.1", "power 0.544"),
        (30, 5, "0.1", "power"),
    ],
)
def test_sizes_that_cannot_answer(tasks: int, repeats: int, difference: str, says: str) -> None:
    wanted = Fraction(difference)
    asked = Asked(difference=wanted, psi=max(wanted, Fraction(1, 5)), tasks=tasks, repeats=repeats)
    assert any(says in reason for reason in design(asked).refusals), design(asked).refusals


def test_sizes_that_can_answer() -> None:
    for tasks, repeats in ((168, 1), (60, 5)):
        assert design(Asked(difference=TENTH, tasks=tasks, repeats=repeats)).refusals == ()


def test_a_margin_below_what_two_arms_without_any_difference_show() -> None:
    for margin, least in (("0.15", 16), ("0.10", 25), ("0.05", 52), ("0.02", 133)):
        short = design(Asked(margin=Fraction(margin), tasks=least - 1, repeats=1))
        assert any(f"it takes {least} tasks" in reason for reason in short.refusals)
        assert design(Asked(margin=Fraction(margin), tasks=least, repeats=1)).refusals == ()
    asked = Asked(margin=TENTH)
    equivalent, not_worse = margin_tasks(asked, 1), margin_tasks(replace(asked, question="non_inferior"), 1)
    assert isinstance(equivalent, int) and isinstance(not_worse, int)
    assert 25 < not_worse < equivalent
    assert margin_tasks(Asked(margin=TENTH, psi=Fraction(0)), 1) == 25


def test_cost_is_of_both_arms_and_unknown_tokens_stay_unknown() -> None:
    known = design(Asked(difference=TENTH, tasks=60, repeats=5, tokens=40_000)).asked
    assert isinstance(known, Cell)
    assert (known.attempts, known.tokens) == (600, 24_000_000)
    unknown = design(Asked(difference=TENTH, tasks=60, repeats=5))
    assert isinstance(unknown.asked, Cell)
    assert isinstance(unknown.asked.tokens, NotMeasured)
    assert any("unknown" in note for note in unknown.notes)


def test_both_questions_are_named() -> None:
    heads = [text.partition(":")[0] for text in design(Asked(difference=TENTH)).estimands]
    assert heads == ["tasks like these", "these tasks again"]


@pytest.mark.parametrize("tasks", range(1, 8))
@pytest.mark.parametrize("repeats", [1, 2, 5])
def test_no_size_is_too_small_to_be_refused_in_words(tasks: int, repeats: int) -> None:
    for margin in (Fraction(0), TENTH):
        found = design(Asked(difference=TENTH, tasks=tasks, repeats=repeats, margin=margin))
        assert found.refusals
