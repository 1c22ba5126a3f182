"""Promises: every draw's attempt 1 is in the journal before anything runs; a retry before it starts."""

from __future__ import annotations

from denominator.pipeline.world import OpenRun
from denominator.records.events import Draft, Json
from denominator.records.keys import AttemptKey
from denominator.records.rows import Declared
from denominator.records.words import Cause, Phase, Writer
from denominator.run.progress import Progress, read_progress

WARMUP_REPEAT = 0


def promise_plan(run: OpenRun) -> None:
    """Promise what of the plan is not promised yet, in one transaction: warm-ups, then draws, in order."""
    warmups = [AttemptKey(run.run_id, task_id, WARMUP_REPEAT, 1) for task_id in run.seal.plan.warmup]
    draws = {AttemptKey(run.run_id, d.draw.task_id, d.draw.repeat, 1): d for d in run.seal.plan.draws}
    keys = [*warmups, *draws]
    known = read_progress(run.journal.events())
    drafts = [_promise(key, draws.get(key), order) for order, key in enumerate(keys, 1) if key not in known]
    if drafts:
        run.journal.append(*drafts)


def _promise(key: AttemptKey, declared: Declared | None, order: int) -> Draft:
    payload: dict[str, Json] = {
        "slice": declared.slice if declared else "",
        "control": declared.control if declared else "",
        "stratum": declared.stratum if declared else "",
        "cause": str(Cause.PLAN),
        "purpose": "solve" if declared else "warmup",
        "order": order,
    }
    return Draft(kind="promised", phase=Phase.RUN, writer=Writer.HARNESS, key=key, payload=payload)


def promise_retry(run: OpenRun, key: AttemptKey, after: Progress) -> None:
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
    run.journal.append(Draft(kind="promised", phase=Phase.RUN, writer=Writer.HARNESS, key=key, payload=payload))
