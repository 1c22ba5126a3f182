"""Flips of a replay, draw by draw; what has no verdict is neither a flip nor agreement."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.compare.replays import hidden_flips, missing_draws, replay_of
from denominator.compare.sequential import so_far
from denominator.pipeline.replaying import hours
from denominator.publish.terminal.replays import replay_lines
from denominator.records.judgements import JudgedDraw, Sheet
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, Ledger
from denominator.records.values import NotMeasured
from denominator.stats import e_value, repeat_mean, wilson
from denominator.wire.times import read_time
from judging_data import terms

EXITS = st.sampled_from(["pass", "fail", "abstain", "unscoreable", "never_started"])


def sheet(exits, repeats=1, closed=True):
    """A sheet of tasks t0, t1 ... with their exits, repeat after repeat."""
    draws = []
    for place, exit_ in enumerate(exits):
        key = AttemptKey("r", f"t{place // repeats}", place % repeats + 1)
        row = None if exit_ == "never_started" else AttemptRow(key=key, slice="solvable", started=True, closed=closed)
        draws.append(JudgedDraw(draw=key.draw, slice="solvable", control="", stratum="", exit=exit_, row=row))
    why = NotMeasured("not needed")
    ledger = Ledger(run_id="r", source="s", declared=why, declared_n=len(draws), rows=())
    return Sheet(
        ledger=ledger, terms=terms(repeats=repeats), draws=tuple(draws), declared_n=len(draws), unnamed=0, labels=(), controls=(),
        defects=(),
    )  # fmt: skip


def test_one_repeat_has_wilson_over_tasks():
    found = replay_of(sheet(["pass"] * 6 + ["fail"] * 4), sheet(["pass"] * 5 + ["fail"] * 5), run_id="again", hours=30)
    assert (found.flips, found.draws, found.unknown, found.flipped) == (1, 10, 0, ("t5",))
    assert found.rate == "0.100000"
    interval = wilson(1, 10)
    assert float(found.lo) == pytest.approx(interval.lo, abs=1e-6)
    assert float(found.hi) == pytest.approx(interval.hi, abs=1e-6)


def test_several_repeats_take_the_task_as_the_unit():
    first, again = ["pass", "fail", "pass", "pass"], ["fail", "pass", "pass", "pass"]
    found = replay_of(sheet(first, 2), sheet(again, 2), run_id="again", hours=30)
    assert found.flipped == ("t0", "t0 r2")
    assert float(found.hi) == pytest.approx(repeat_mean([2, 0], 2).interval.hi, abs=1e-6)


def test_what_nobody_decided_leaves_bounds_and_no_rate():
    found = replay_of(sheet(["pass", "pass", "fail"]), sheet(["fail", "unscoreable", "fail"]), run_id="again", hours=30)
    assert isinstance(found.rate, NotMeasured)
    assert (found.lo_bound, found.hi_bound, found.unknown) == ("0.333333", "0.666667", 1)


def test_no_draw_in_both_is_no_rate():
    found = replay_of(sheet([]), sheet(["pass"]), run_id="again", hours=30)
    assert isinstance(found.rate, NotMeasured)
    assert isinstance(found.lo_bound, NotMeasured)
    assert missing_draws(sheet([]), sheet(["pass"])) == ("t0",)


@given(st.lists(st.tuples(EXITS, EXITS), max_size=20))
def test_flips_are_the_same_both_ways_and_inside_their_bounds(pairs):
    one, two = sheet([a for a, _ in pairs]), sheet([b for _, b in pairs])
    there, back = (replay_of(a, b, run_id="x", hours=1) for a, b in ((one, two), (two, one)))
    assert there == back
    assert there.flips + there.unknown <= there.draws == len(pairs)
    if isinstance(there.rate, str):
        assert there.lo <= there.rate <= there.hi
        assert there.rate == there.lo_bound == there.hi_bound


def test_hours_are_whole_and_a_clock_that_went_back_measures_nothing():
    def between(ended, began):
        return hours(read_time(ended), read_time(began))

    assert between("2026-11-29T10:00:00.000Z", "2026-11-30T09:59:59.000Z") == 23
    assert between("2026-11-29T10:00:00.000Z", "2026-11-30T10:00:00.000Z") == 24
    assert isinstance(between("2026-11-30T10:00:00.000Z", "2026-11-29T10:00:00.000Z"), NotMeasured)
    assert isinstance(between("", "2026-11-29T10:00:00.000Z"), NotMeasured)


def test_a_look_sees_only_tasks_that_both_have_finished():
    a, b = sheet(["pass"] * 8 + ["fail"]), sheet(["fail"] * 8 + ["never_started"])
    seen = so_far(a, b, Fraction(1, 20))
    assert (seen.finished, seen.declared, seen.wins, seen.losses) == (8, 9, 8, 0)
    assert seen.established
    assert seen.e == e_value(8, 0)
    assert seen.least == 8
    fewer = so_far(sheet(["pass"] * 7), sheet(["fail"] * 7), Fraction(1, 20))
    assert not fewer.established


def test_a_look_counts_a_task_once_whatever_its_repeats():
    seen = so_far(
        sheet(["pass", "pass", "pass", "fail"], 2), sheet(["pass", "fail", "fail", "pass"], 2), Fraction(1, 20)
    )
    assert (seen.wins, seen.losses, seen.equal, seen.undecided) == (1, 0, 1, 0)
    open_ = so_far(sheet(["pass"], closed=False), sheet(["fail"]), Fraction(1, 20))
    assert open_.finished == 0
    odd = so_far(sheet(["unscoreable", "pass"]), sheet(["fail", "pass"]), Fraction(1, 20))
    assert (odd.undecided, odd.wins, odd.equal) == (1, 0, 1)


def test_a_replay_with_a_violated_control_tells_no_flip() -> None:
    found = hidden_flips(replay_of(sheet(["pass", "fail"]), sheet(["fail", "fail"]), run_id="r", hours=30))
    assert (found.flips, found.flipped, found.unknown) == (0, (), found.draws)
    text = " ".join(replay_lines(found))
    assert (
        "not told" in text and "t0" not in text and not any(digit in text.replace("30 h", "") for digit in "0123456789")
    )
