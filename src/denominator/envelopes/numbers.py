"""Numbers of an envelope: which must be above zero, which may be zero, which are shares."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from denominator.envelopes.fields import leaves
from denominator.errors import Problem
from denominator.records.envelopes import Envelope

FROM_ZERO = (
    "policy.retry.verdict",
    "policy.retry.rate_limited",
    "policy.retry.server_error",
    "policy.retry.timeout",
    "policy.retry.other_4xx",
    "policy.retry.infra",
    "run.warmup_tasks",
    "run.order_seed",
    "run.min_free_disk_mb",
    "comparison.looks",
    "gateway.retries",
    "gateway.wait_max_s",
)
SHARES = ("ceilings.invalid_rate", "ceilings.infra_rate", "ceilings.retry_rate", "ceilings.replay_flips")
BASELINE_LEAST = 3
LOOP_LEAST = 2


def number_problems(envelope: Envelope) -> Iterator[Problem]:
    """Numbers out of range, and pairs of them that contradict each other."""
    for path, value in leaves(envelope):
        if isinstance(value, bool) or not isinstance(value, int):
            continue
        least = 0 if path in FROM_ZERO or path.startswith("gateway.fault") else 1
        if value < least:
            yield Problem(path, f"is {value}", f"at least {least}")
    yield from _shares(envelope)
    yield from _pairs(envelope)


def _shares(envelope: Envelope) -> Iterator[Problem]:
    values = dict(leaves(envelope))
    for path in SHARES:
        value = values[path]
        if isinstance(value, str) and not Decimal(0) <= _decimal(value) <= 1:
            yield Problem(path, f"is {value}", "a share between 0 and 1")
    for number, arm in enumerate(envelope.arm):
        temperature = arm.model.temperature
        if isinstance(temperature, str) and _decimal(temperature) < 0:
            yield Problem(f"arm[{number}].model.temperature", f"is {temperature}", "0 or more, as sent")


def _decimal(text: str) -> Decimal:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return Decimal(-1)
    return value if value.is_finite() else Decimal(-1)


def _pairs(envelope: Envelope) -> Iterator[Problem]:
    budget, retry = envelope.budget, envelope.policy.retry
    if isinstance(budget.wall_s, int) and isinstance(budget.working_s, int) and 0 < budget.wall_s < budget.working_s:
        what = f"is {budget.working_s}, more than wall_s ({budget.wall_s})"
        yield Problem("budget.working_s", what, "working time is wall time less pauses: at most wall_s")
    if retry.verdict > 0:
        yield Problem("policy.retry.verdict", "a red verdict is never retried for the headline", "0")
    if 0 < envelope.policy.tool_loop_n < LOOP_LEAST:
        what = f"is {envelope.policy.tool_loop_n}: a call that was made once repeats nothing"
        yield Problem("policy.tool_loop_n", what, f"at least {LOOP_LEAST}")
    if envelope.run.baseline_repeats < BASELINE_LEAST:
        what = f"is {envelope.run.baseline_repeats}: fewer gradings do not show a flaky test"
        yield Problem("run.baseline_repeats", what, f"at least {BASELINE_LEAST}")
    for number, pause in enumerate(retry.backoff_s):
        if pause < 0:
            yield Problem("policy.retry.backoff_s", f"entry {number + 1} is {pause}", "0 or more seconds")
