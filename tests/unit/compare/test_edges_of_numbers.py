"""Numbers of a comparison at their edges: three digits, notes of the harness, replays without an interval, open pairs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.compare.published import Claimed
from denominator.compare.published.noise import PAIRED, noise
from denominator.compare.replays import replay_of
from denominator.compare.spread_notes import harness_notes
from denominator.compare.spread_report import one_sentence, signed, three
from denominator.judge import judge
from denominator.records.conditions import Condition
from denominator.records.published import Told
from denominator.records.values import NotMeasured
from denominator.stats import compare_paired
from judging_data import by_outcome, foreign, ledger, terms
from unit.compare.test_replays import sheet
from unit.compare.test_spread import arm_of


@pytest.mark.parametrize(
    ("six", "digits", "with_sign"),
    [
        ("0.000000", "0.000", "0.000"),
        ("0.000500", "0.000", "0.000"),
        ("-0.000400", "0.000", "0.000"),
        ("0.001200", "0.001", "+0.001"),
        ("0.001500", "0.002", "+0.002"),
        ("0.002500", "0.002", "+0.002"),
        ("0.002501", "0.003", "+0.003"),
        ("-0.001200", "-0.001", "-0.001"),
        ("-1.000000", "-1.000", "-1.000"),
        ("0.999600", "1.000", "+1.000"),
    ],
)
def test_three_digits_are_half_even_and_nothing_has_no_sign(six, digits, with_sign):
    assert (three(six), signed(six)) == (digits, with_sign)


def test_one_arm_says_how_far_a_fresh_pass_lands():
    arm = arm_of({f"t{n}": letters for n, letters in enumerate(("PPF", "PFF", "PPP", "FFF", "PFP"))})
    said = one_sentence(arm)
    assert f"On these tasks a fresh single pass lands within +-{three(arm.rerun.spread95)} of another." in said
    assert "5 tasks, 3 repeats" in said and "Without a verdict" not in said


def test_uneven_repeats_have_a_rate_of_flips_and_no_interval():
    first, again = sheet(["pass"] * 3, 2), sheet(["fail", "pass", "pass"], 2)
    found = replay_of(first, again, run_id="again", hours=30)
    assert (found.rate, found.method, found.flipped) == ("0.333333", "", ("t0",))
    assert found.lo == found.hi == NotMeasured("repeats are uneven or there is only one task")


def notes(*over, tasks=None, **more):
    """Harness notes of three attempts with these fields."""
    rows, labels = by_outcome(**{"pass": len(over)})
    rows = [
        replace(foreign(one.key.task_id, n), **told) for n, (one, told) in enumerate(zip(rows, over, strict=True), 1)
    ]
    return harness_notes(judge(ledger(rows, labels), terms(**more)).sheet)


TIMED, DONE, OPEN = {"stop_reason": "timeout"}, {"stop_reason": "finished"}, {}


@pytest.mark.parametrize(
    ("ends", "clipped", "unknown", "share"),
    [
        ((TIMED, DONE, DONE), 1, 0, "0.333333"),
        ((DONE, DONE, DONE), 0, 0, "0.000000"),
        (({"killed_by": "kernel_oom"}, DONE, DONE), 1, 0, "0.333333"),
        (({"killed_by": ""}, DONE, DONE), 0, 0, "0.000000"),
        ((TIMED, OPEN, DONE), 1, 1, NotMeasured("what ended 1 of 3 attempts was not recorded")),
    ],
)
def test_attempts_that_a_limit_cut_and_those_whose_end_nobody_wrote_down(ends, clipped, unknown, share):
    found = notes(*ends)
    assert (found.attempts, found.clipped, found.clipped_unknown, found.clipped_share) == (3, clipped, unknown, share)


def test_provider_retries_are_summed_only_where_every_attempt_records_them():
    assert notes({"provider_retries": 2}, {"provider_retries": 1}).provider_retries == 3
    found = notes({"provider_retries": 2}, {}).provider_retries
    assert found == NotMeasured("not recorded for 1 of 2 attempts")


def test_the_terms_beside_the_notes_are_the_declared_ones():
    stated = (Condition(name="budget_tokens_per_task", value="5"), Condition(name="temperature", value="0"))
    said = dict(notes(DONE, conditions=stated, on_timeout="grade").declared)
    assert (said["budget_tokens_per_task"], said["temperature"], said["on_timeout"]) == ("5", "0", "grade")
    assert isinstance(said["retry_policy"], NotMeasured)
    own = dict(notes(DONE, conditions=(Condition(name="on_timeout", value='"fail"'),), on_timeout="grade").declared)
    assert own["on_timeout"] == '"fail"'


def claimed(passed, unseen=()):
    """A score over four tasks of which the first so many pass."""
    told = Told(name="side", n=4, least=passed, most=passed + len(unseen))
    return Claimed(
        told=told, fingerprint={}, tasks=None, unseen=unseen, outcomes={f"t{n}": n < passed for n in range(4)}
    )


def test_pairs_with_a_published_score():
    found, exact = noise(claimed(1), claimed(3)), compare_paired([1, 1, 1, 0], [1, 0, 0, 0], 1)
    assert not isinstance(exact, NotMeasured)
    assert (found.method, found.difference, found.p) == (PAIRED, exact.difference, exact.p)
    assert (found.lo, found.hi) == (exact.interval.lo, exact.interval.hi)


def test_a_task_that_neither_side_decided_may_go_either_way():
    found = noise(claimed(1, ("t3",)), claimed(1, ("t3",)))
    worst, best = compare_paired([1, 0, 0, 0], [1, 0, 0, 1], 1), compare_paired([1, 0, 0, 1], [1, 0, 0, 0], 1)
    assert not isinstance(worst, NotMeasured) and not isinstance(best, NotMeasured)
    assert (found.lo, found.hi) == (worst.interval.lo, best.interval.hi)
    assert isinstance(found.difference, NotMeasured)


def test_outcomes_of_one_side_only_are_not_paired():
    found = noise(claimed(1), replace(claimed(3), outcomes=None))
    assert found.method != PAIRED and isinstance(found.p, NotMeasured)
