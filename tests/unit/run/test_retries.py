"""Which retry is owed follows from the seal and the events: infrastructure only, never more than declared, never twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.records.envelopes import Budget, Envelope, Policy, RetryPolicy
from denominator.records.keys import AttemptKey
from denominator.records.seals import CauseRule, Seal
from denominator.records.values import NotMeasured
from denominator.run.decisions import Apply, apply_step, due_retries, exhausted, next_attempt
from denominator.run.progress import Progress
from unit.ledger.journals import a_seal

KEY = AttemptKey("r", "t", 1, 1)
CAUSES = tuple(
    CauseRule(cause=cause, origin="INFRA", may_rerun=may)
    for cause, may in (
        ("disk_full", True),
        ("provider_rate_limit", True),
        ("quota_exhausted", False),
        ("unknown", False),
    )
)
FAILED = Progress(key=KEY, closed=True, failure_cause="disk_full")


def sealed(infra: int | NotMeasured = 1, attempts: int | NotMeasured = 3, rate_limited: int = 0) -> Seal:
    policy = Policy(retry=RetryPolicy(infra=infra, rate_limited=rate_limited))
    return replace(a_seal(), causes=CAUSES, envelope=Envelope(policy=policy, budget=Budget(attempts=attempts)))


def test_an_infrastructure_ending_is_owed_another_attempt() -> None:
    assert next_attempt(FAILED, sealed()) == replace(KEY, attempt=2)


@pytest.mark.parametrize(
    "state",
    [
        replace(FAILED, closed=False),
        replace(FAILED, failure_cause=""),
        replace(FAILED, failure_cause="quota_exhausted"),
        replace(FAILED, failure_cause="never heard of"),
        replace(FAILED, verdict=True),
        replace(FAILED, purpose="warmup"),
    ],
    ids=["open", "no failure", "may not", "unknown cause", "a verdict", "a warm-up"],
)
def test_everything_else_is_owed_none(state: Progress) -> None:
    assert next_attempt(state, sealed()) is None


@pytest.mark.parametrize(
    ("infra", "attempts", "made", "owed"),
    [(1, 3, 1, True), (1, 3, 2, False), (2, 3, 2, True), (2, 2, 2, False), (0, 3, 1, False), (1, 1, 1, False)],
)
def test_both_caps_hold(infra: int, attempts: int, made: int, owed: bool) -> None:
    state = replace(FAILED, key=replace(KEY, attempt=made))
    assert (next_attempt(state, sealed(infra, attempts)) is not None) == owed


def test_what_was_never_declared_allows_nothing() -> None:
    assert next_attempt(FAILED, sealed(infra=NotMeasured("not filled in"))) is None
    assert next_attempt(FAILED, sealed(attempts=NotMeasured("not filled in"))) is None


def test_each_class_of_ending_has_an_allowance_of_its_own() -> None:
    limited = replace(FAILED, failure_cause="provider_rate_limit")
    assert next_attempt(limited, sealed(infra=1, rate_limited=0)) is None
    assert next_attempt(limited, sealed(infra=0, rate_limited=1)) == replace(KEY, attempt=2)


def test_a_retry_is_owed_until_it_is_promised() -> None:
    second = replace(KEY, attempt=2)
    other = replace(FAILED, key=AttemptKey("r", "u", 1, 1), failure_cause="")
    states = {KEY: FAILED, other.key: other}
    assert due_retries(states, sealed()) == {second: FAILED}
    assert due_retries({**states, second: Progress(key=second)}, sealed()) == {}


def test_an_intent_that_named_another_tree_fits_nothing() -> None:
    state = Progress(key=KEY, apply_pre="a", apply_post="b")
    assert apply_step(state, None, "b") is Apply.APPLY
    assert apply_step(state, "b", "b") is Apply.ADOPT
    assert apply_step(state, None, "c") is Apply.UNKNOWN
    assert apply_step(state, "c", "c") is Apply.UNKNOWN


def test_an_unexplained_state_is_not_swept_away_by_the_cap_on_restarts() -> None:
    assert exhausted(Progress(key=KEY, incarnation=3), 3)
    assert not exhausted(Progress(key=KEY, incarnation=3, unknown_state=True), 3)
