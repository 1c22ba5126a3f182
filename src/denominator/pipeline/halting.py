"""Why a run starts no further attempt although some are promised: its own cap is reached, or its account is spent.

The cap is sealed, so it keeps what has not started from starting for ever; those draws are never started, by id. A spent
account can be filled again, so its promises stay open and `resume` goes on with them. Attempts that have started end by
themselves in both cases.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.pipeline.world import OpenRun
from denominator.records.keys import AttemptKey
from denominator.records.words import Reason
from denominator.run.progress import Progress
from denominator.run.spending import RUN_CAP

SPENT = str(Reason.QUOTA_EXHAUSTED)


def is_capped(run: OpenRun) -> bool:
    """Has the run's own cap refused a call, as the journal says?"""
    cap = run.seal.envelope.run.run_cap_tokens
    return isinstance(cap, int) and any(call.cap_state == RUN_CAP for call in run.journal.calls())


def not_started(states: Iterable[Progress]) -> list[AttemptKey]:
    """Promised attempts that have not started: a reached cap keeps these from it."""
    return sorted(state.key for state in states if state.open and not state.incarnation)


def why_capped(run: OpenRun) -> str:
    """Why no further attempt of the run starts: its cap has refused a call; or ""."""
    return RUN_CAP if run.guard is not None and run.guard.capped else ""


def why_spent(state: Progress) -> str:
    """Why no further attempt of the run starts after this one ended: the account is spent; or ""."""
    return SPENT if state.closed and state.failure_cause == SPENT else ""


def told(run: OpenRun, why: str, left: list[AttemptKey]) -> str:
    """What people are told about attempts that did not start."""
    names = ", ".join(f"{key.task_id} r{key.repeat} a{key.attempt}" for key in left)
    if why == RUN_CAP:
        return f"{run.run_id}: the cap of the run is reached; never started: {names or 'none'}"
    waiting = f"{names or 'none'}\n  next: fill the account, then denominator resume {run.run_id}"
    return f"{run.run_id}: the provider says that the account is spent; not attempted: {waiting}"
