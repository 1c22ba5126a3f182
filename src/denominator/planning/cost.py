"""What a plan may cost at most, for `run --dry-run`."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.envelopes import Budget, RunTerms
from denominator.records.seals import Plan
from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstCase:
    """Upper limits: attempts that may start, tokens and agent wall seconds they may use, restarts after crashes apart.

    `tokens` is not measured where the budget names no tokens. `capped` says that the run's own cap is the limit.
    """

    draws: int
    warmup: int
    attempts: int
    tokens: int | NotMeasured
    wall_s: int | NotMeasured
    restarts_factor: int
    capped: bool = False


def worst_case(plan: Plan, budget: Budget, run: RunTerms, *, probe: bool = False) -> WorstCase:
    """Every draw uses every attempt to its limit; warm-ups, and the narration probe of a task, have one attempt each.

    Concurrency divides `wall_s`.
    """
    tries = budget.attempts if isinstance(budget.attempts, int) else 1
    probes = len({one.draw.task_id for one in plan.draws}) if probe else 0
    attempts = len(plan.draws) * tries + len(plan.warmup) + probes
    tokens = _times(attempts, budget.tokens)
    capped = isinstance(tokens, int) and isinstance(run.run_cap_tokens, int) and run.run_cap_tokens < tokens
    wall = _times(attempts, budget.wall_s)
    lanes = run.concurrency if isinstance(run.concurrency, int) and run.concurrency > 0 else 1
    return WorstCase(
        draws=len(plan.draws),
        warmup=len(plan.warmup),
        attempts=attempts,
        tokens=run.run_cap_tokens if capped else tokens,
        wall_s=-(-wall // lanes) if isinstance(wall, int) else wall,
        restarts_factor=budget.incarnations_max,
        capped=capped,
    )


def _times(count: int, each: int | NotMeasured) -> int | NotMeasured:
    return count * each if isinstance(each, int) else each
