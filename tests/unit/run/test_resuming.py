"""What a resume says beforehand follows from events and the seal alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.records.keys import AttemptKey
from denominator.records.seals import CauseRule, Seal
from denominator.records.words import Checkpoint
from denominator.run.progress import PROBE, WARMUP, Progress
from denominator.run.resuming import Does, Step, steps_of
from unit.ledger.journals import a_seal

KEY, AGAIN = AttemptKey("r", "t", 1, 1), AttemptKey("r", "t", 1, 2)
CAUSES = (
    CauseRule(cause="disk_full", origin="INFRA", may_rerun=True),
    CauseRule(cause="grader_error", origin="HARNESS", may_rerun=False),
    CauseRule(cause="provider_rate_limit", origin="INFRA", may_rerun=True),
)


def seal(attempts: int = 3, infra: int = 1, incarnations: int = 3) -> Seal:
    base = a_seal()
    envelope = base.envelope
    budget = replace(envelope.budget, attempts=attempts, incarnations_max=incarnations)
    policy = replace(envelope.policy, retry=replace(envelope.policy.retry, infra=infra, rate_limited=0))
    return replace(base, causes=CAUSES, envelope=replace(envelope, budget=budget, policy=policy))


def one(state: Progress, capped: str = "", **sealed: int) -> list[Step]:
    return list(steps_of({state.key: state}, seal(**sealed), capped=capped))


DRAFTED, APPLIED = (Checkpoint.PATCH_DRAFTED,), (Checkpoint.PATCH_DRAFTED, Checkpoint.PATCH_APPLIED)
OPEN = {
    "never begun": ({}, Does.START, "", ""),
    "died before anything was durable": ({"incarnation": 1}, Does.START, "", "nothing durable"),
    "drafted": ({"incarnation": 1, "done": DRAFTED}, Does.GO_ON, Checkpoint.PATCH_DRAFTED, ""),
    "applied": ({"incarnation": 2, "done": APPLIED}, Does.GO_ON, Checkpoint.PATCH_APPLIED, ""),
    "worn out": ({"incarnation": 3, "done": DRAFTED}, Does.GIVE_UP, Checkpoint.PATCH_DRAFTED, "3 incarnations died"),
    "unknown is not worn out": ({"incarnation": 3, "done": DRAFTED, "unknown_state": True}, Does.GO_ON, Checkpoint.PATCH_DRAFTED, "unknown"),
}  # fmt: skip


@pytest.mark.parametrize("name", OPEN)
def test_an_open_attempt_is_gone_on_with_from_its_last_durable_point(name: str) -> None:
    fields, does, after, why = OPEN[name]
    (step,) = one(Progress(key=KEY, **fields))  # type: ignore[arg-type]
    assert (step.key, step.does, step.after) == (KEY, does, after) and why in step.why


CLOSED = {
    "a verdict": ({"verdict": True}, [Does.FINISHED]),
    "a verdict after a failure": ({"verdict": True, "failure_cause": "disk_full"}, [Does.FINISHED]),
    "its own budget": ({"stop_reason": "timeout"}, [Does.FINISHED]),
    "owed": ({"failure_cause": "disk_full"}, [Does.FINISHED, Does.RETRY]),
    "a cause that is never tried again": ({"failure_cause": "grader_error"}, [Does.FINISHED, Does.NOT_ALLOWED]),
    "an unknown cause": ({"failure_cause": "what"}, [Does.FINISHED, Does.NOT_ALLOWED]),
    "another allowance": ({"failure_cause": "provider_rate_limit"}, [Does.FINISHED, Does.NOT_ALLOWED]),
}


@pytest.mark.parametrize("name", CLOSED)
def test_an_ended_attempt_stays_and_its_retry_is_said_with_its_cause(name: str) -> None:
    fields, does = CLOSED[name]
    steps = one(Progress(key=KEY, incarnation=1, closed=True, **fields))  # type: ignore[arg-type]
    assert [step.does for step in steps] == does
    assert steps[0] == Step(key=KEY, does=Does.FINISHED)
    for step in steps[1:]:
        assert (step.key, step.cause) == (AGAIN, fields["failure_cause"]) and step.why


@pytest.mark.parametrize(
    ("sealed", "why"),
    [({"infra": 0}, "policy.retry.infra = 0"), ({"attempts": 1}, "budget.attempts = 1"), ({"infra": 2}, "owed")],
)
def test_why_there_is_no_retry_names_the_sealed_field(sealed: dict[str, int], why: str) -> None:
    steps = one(Progress(key=KEY, incarnation=1, closed=True, failure_cause="disk_full"), **sealed)
    assert why in steps[1].why


@pytest.mark.parametrize("purpose", [WARMUP, PROBE])
def test_what_is_in_no_count_is_never_tried_again(purpose: str) -> None:
    steps = one(Progress(key=KEY, closed=True, purpose=purpose, failure_cause="disk_full"))
    assert [step.does for step in steps] == [Does.FINISHED, Does.NOT_ALLOWED]


def test_a_retry_that_was_promised_is_an_attempt_like_any_other() -> None:
    states = {
        KEY: Progress(key=KEY, closed=True, failure_cause="disk_full"),
        AGAIN: Progress(key=AGAIN, cause="retry"),
    }
    steps = list(steps_of(states, seal()))
    assert [(step.key, step.does, step.cause) for step in steps] == [
        (KEY, Does.FINISHED, ""), (AGAIN, Does.START, "retry"),
    ]  # fmt: skip


def test_nothing_new_starts_under_a_reached_cap_and_what_has_started_goes_on() -> None:
    assert one(Progress(key=KEY), capped="the cap")[0].does is Does.NOT_ALLOWED
    assert one(Progress(key=KEY, incarnation=1, done=DRAFTED), capped="the cap")[0].does is Does.GO_ON
    owed = one(Progress(key=KEY, closed=True, failure_cause="disk_full"), capped="the cap")
    assert [(step.does, step.why) for step in owed] == [(Does.FINISHED, ""), (Does.NOT_ALLOWED, "the cap")]
    (step,) = steps_of({}, seal(), [KEY], "the cap")
    assert (step.key, step.does, step.why) == (KEY, Does.NOT_ALLOWED, "the cap")


def test_draws_that_nobody_has_promised_come_last() -> None:
    steps = list(steps_of({KEY: Progress(key=KEY)}, seal(), [AttemptKey("r", "u", 1, 1)]))
    assert [(step.key.task_id, step.does) for step in steps] == [("t", Does.START), ("u", Does.START)]
    assert "not promised" in steps[1].why
