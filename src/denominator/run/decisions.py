"""The decisions of a run: where an attempt goes on, whether a state fits, whether there is another attempt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum

from denominator.records.keys import AttemptKey
from denominator.records.seals import CauseRule, Seal
from denominator.records.values import NotMeasured
from denominator.records.words import Cause, Checkpoint
from denominator.run.progress import Progress


class Apply(StrEnum):
    """What to do about the applied tree."""

    APPLY = "apply"
    ADOPT = "adopt"
    UNKNOWN = "unknown_state"


def start_after(state: Progress) -> str:
    """The checkpoint after which a new incarnation starts: a durable patch is never paid for twice."""
    for checkpoint in (Checkpoint.PATCH_APPLIED, Checkpoint.PATCH_DRAFTED):
        if checkpoint in state.done:
            return checkpoint
    return ""


def apply_step(state: Progress, found: str | None, expected: str) -> Apply:
    """Compare the tree on disk (digest, or None when there is none) with what the journal says.

    The artifact is the truth: nothing there and no done row -> apply; the expected tree -> adopt; anything else
    cannot be explained.
    """
    done = Checkpoint.PATCH_APPLIED in state.done
    if found is None:
        return Apply.UNKNOWN if done else Apply.APPLY
    return Apply.ADOPT if found == expected else Apply.UNKNOWN


def exhausted(state: Progress, incarnations_max: int) -> bool:
    """Would one more incarnation pass the sealed cap?"""
    return state.incarnation >= incarnations_max


def next_attempt(state: Progress, seal: Seal, attempts: Iterable[AttemptKey]) -> AttemptKey | None:
    """The retry that the sealed policy promises after this closed attempt, or None. A verdict is never retried."""
    if not state.failure_cause or not may_rerun(seal.causes, state.failure_cause):
        return None
    allowed = seal.envelope.policy.retry.infra
    made = sum(key.draw == state.key.draw for key in attempts)
    cap = seal.envelope.budget.attempts
    if isinstance(allowed, NotMeasured) or isinstance(cap, NotMeasured) or made > allowed or made >= cap:
        return None
    return replace(state.key, attempt=state.key.attempt + 1)


def may_rerun(causes: Iterable[CauseRule], cause: str) -> bool:
    """Does the sealed table allow a re-run for this cause? The unknown row is the strict one."""
    for rule in causes:
        if rule.cause == cause:
            return rule.may_rerun
    return False


def retry_cause(key: AttemptKey) -> str:
    """Why an attempt exists: the first is planned, later ones are retries."""
    return Cause.PLAN if key.attempt == 1 else Cause.RETRY


def what_resume_does(states: Mapping[AttemptKey, Progress]) -> dict[str, list[str]]:
    """For people: which attempts are finished, go on after a checkpoint, or start from the beginning."""
    plan: dict[str, list[str]] = {"finished": [], "go on": [], "start": []}
    for key, state in states.items():
        name = f"{key.task_id} r{key.repeat} a{key.attempt}"
        if state.closed:
            plan["finished"].append(name)
        elif start_after(state):
            plan["go on"].append(f"{name} after {start_after(state)}")
        else:
            plan["start"].append(name)
    return plan
