"""The decisions of a run: where an attempt goes on, whether a state fits, whether there is another attempt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum

from denominator.records.keys import AttemptKey
from denominator.records.seals import CauseRule, Seal
from denominator.records.words import Checkpoint
from denominator.run.progress import UNCOUNTED, Progress


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
    cannot be explained, nor can an intent that named another tree than the one expected now.
    """
    done = Checkpoint.PATCH_APPLIED in state.done
    if state.apply_post not in ("", expected):
        return Apply.UNKNOWN
    if found is None:
        return Apply.UNKNOWN if done else Apply.APPLY
    return Apply.ADOPT if found == expected else Apply.UNKNOWN


def exhausted(state: Progress, incarnations_max: int) -> bool:
    """Would one more incarnation pass the sealed cap? A state that nobody has explained yet is not swept away by it."""
    return state.incarnation >= incarnations_max and not state.unknown_state


# Which allowance of the sealed retry policy a cause draws on; every other cause draws on `infra`.
ALLOWANCES = {
    "provider_rate_limit": "rate_limited",
    "provider_error": "server_error",
    "provider_stream_error": "server_error",
    "provider_empty": "server_error",
}


def next_attempt(state: Progress, seal: Seal) -> AttemptKey | None:
    """The retry that the sealed policy promises after this attempt, or None. Verdicts, warm-ups and probes are never retried."""
    return None if why_no_retry(state, seal) else replace(state.key, attempt=state.key.attempt + 1)


def why_no_retry(state: Progress, seal: Seal) -> str:
    """Why no further attempt follows this one under the sealed policy; "" when one does."""
    cause, made = state.failure_cause, state.key.attempt
    if not state.closed or state.verdict or state.purpose in UNCOUNTED:
        return "only a counted attempt that ended without a verdict may be tried again"
    if not may_rerun(seal.causes, cause):
        return f"{cause or 'its ending'} is no cause to try again (cause table)"
    name, cap = ALLOWANCES.get(cause, "infra"), seal.envelope.budget.attempts
    allowed = getattr(seal.envelope.policy.retry, name)
    if not isinstance(allowed, int) or made > allowed:
        return f"no retry is left for {cause} (policy.retry.{name} = {allowed})"
    if not isinstance(cap, int) or made >= cap:
        return f"no attempt is left (budget.attempts = {cap})"
    return ""


def due_retries(states: Mapping[AttemptKey, Progress], seal: Seal) -> dict[AttemptKey, Progress]:
    """Retries that are owed and not promised yet (the process died in between), each with the attempt it follows."""
    owed = {next_attempt(state, seal): state for state in states.values()}
    return {key: state for key, state in owed.items() if key is not None and key not in states}


def may_rerun(causes: Iterable[CauseRule], cause: str) -> bool:
    """Does the sealed table allow a re-run for this cause? The unknown row is the strict one."""
    for rule in causes:
        if rule.cause == cause:
            return rule.may_rerun
    return False
