"""Promises: every draw's attempt 1 is in the journal before anything runs; a retry before it starts."""

from __future__ import annotations

from denominator.pipeline.narration import ASIDE_REPEAT, is_probe
from denominator.pipeline.world import OpenRun
from denominator.ports import Failpoints
from denominator.records.events import Draft, Json
from denominator.records.keys import AttemptKey
from denominator.records.rows import Declared
from denominator.records.words import Cause, Phase, Writer
from denominator.run.decisions import due_retries
from denominator.run.progress import SOLVE, WARMUP, Progress, read_progress

WARMUP_REPEAT = ASIDE_REPEAT


def promise_plan(failpoints: Failpoints, run: OpenRun, only: frozenset[str] = frozenset()) -> None:
    """Promise the plan once, in one transaction: warm-ups, then draws, in order; with `only` those of the named tasks."""
    if not all(map(is_probe, run.journal.standing().promised)):
        return
    warmups = [AttemptKey(run.run_id, task_id, WARMUP_REPEAT, 1) for task_id in run.seal.plan.warmup]
    draws = {AttemptKey(run.run_id, d.draw.task_id, d.draw.repeat, 1): d for d in run.seal.plan.draws}
    wanted = [key for key in (*warmups, *draws) if not only or key.task_id in only]
    failpoints.hit("task.scheduled.before")
    run.journal.append(*(_promise(key, draws.get(key), order) for order, key in enumerate(wanted, 1)))


def promise_due(failpoints: Failpoints, run: OpenRun) -> None:
    """Promise the retries that a process still owed when it died."""
    if run.seal.envelope.budget.attempts == 1:
        return
    for key, after in sorted(due_retries(read_progress(run.journal.events()), run.seal).items()):
        promise_retry(failpoints, run, key, after)


def _promise(key: AttemptKey, declared: Declared | None, order: int) -> Draft:
    payload: dict[str, Json] = {
        "slice": declared.slice if declared else "",
        "control": declared.control if declared else "",
        "stratum": declared.stratum if declared else "",
        "cause": str(Cause.PLAN),
        "purpose": SOLVE if declared else WARMUP,
        "order": order,
    }
    return Draft(kind="promised", phase=Phase.RUN, writer=Writer.HARNESS, key=key, payload=payload)


def promise_retry(failpoints: Failpoints, run: OpenRun, key: AttemptKey, after: Progress) -> None:
    """Promise one more attempt of a draw, with its cause."""
    payload: dict[str, Json] = {
        "slice": after.slice,
        "control": after.control,
        "stratum": after.stratum,
        "cause": str(Cause.RETRY),
        "purpose": after.purpose,
        "order": after.order,
        "after": after.failure_cause,
    }
    failpoints.hit("retry.scheduled.before")
    run.journal.append(Draft(kind="promised", phase=Phase.RUN, writer=Writer.HARNESS, key=key, payload=payload))
