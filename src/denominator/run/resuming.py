"""What a resume does, attempt by attempt, decided from events alone; `resume` and `resume --dry-run` say it beforehand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from denominator.records.keys import AttemptKey
from denominator.records.seals import Seal
from denominator.run.decisions import exhausted, next_attempt, start_after, why_no_retry
from denominator.run.progress import Progress


class Does(StrEnum):
    """What a resume does about one attempt."""

    FINISHED = "finished"
    GO_ON = "go on"
    START = "start"
    RETRY = "retry"
    GIVE_UP = "give up"
    NOT_ALLOWED = "not allowed"
    STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One attempt: what is done, after which checkpoint, because of which cause, and why."""

    key: AttemptKey
    does: Does
    after: str = ""
    cause: str = ""
    why: str = ""


def steps_of(
    states: Mapping[AttemptKey, Progress], seal: Seal, unpromised: Collection[AttemptKey] = (), capped: str = ""
) -> Iterator[Step]:
    """Steps in the order of promises; then draws that nobody has promised yet. `capped` says why nothing new may start."""
    for key, state in states.items():
        if state.open:
            yield _open(state, seal, capped)
        else:
            yield from _closed(key, state, states, seal, capped)
    for key in unpromised:
        yield _begins(Step(key=key, does=Does.START, why="it is not promised yet"), capped)


def _open(state: Progress, seal: Seal, capped: str) -> Step:
    after = start_after(state)
    step = Step(key=state.key, does=Does.GO_ON if after else Does.START, after=after, cause=_cause(state))
    most = seal.envelope.budget.incarnations_max
    if exhausted(state, most):
        died = f"{state.incarnation} incarnations died (budget.incarnations_max = {most})"
        return replace(step, does=Does.GIVE_UP, cause="harness_killed", why=died)
    if state.unknown_state:
        return replace(
            step, why="its state was unknown: the run stops again unless the tree is what the journal expects"
        )
    if state.incarnation and not after:
        return replace(
            step, why=f"incarnation {state.incarnation} ended with its process, nothing durable to go on from"
        )
    return step if state.incarnation else _begins(step, capped)


def _closed(
    key: AttemptKey, state: Progress, states: Mapping[AttemptKey, Progress], seal: Seal, capped: str
) -> Iterator[Step]:
    yield Step(key=key, does=Does.FINISHED)
    following, cause = next_attempt(state, seal), state.failure_cause
    again = replace(key, attempt=key.attempt + 1)
    if again in states:
        return
    if following is not None:
        yield _begins(Step(key=following, does=Does.RETRY, cause=cause, why="it is owed and not promised yet"), capped)
    elif cause and not state.verdict:
        yield Step(key=again, does=Does.NOT_ALLOWED, cause=cause, why=why_no_retry(state, seal))


def _begins(step: Step, capped: str) -> Step:
    return replace(step, does=Does.NOT_ALLOWED, why=capped) if capped else step


def _cause(state: Progress) -> str:
    """Why the attempt was promised, where it is not the plan's first."""
    return "" if state.key.attempt == 1 else str(state.cause)
