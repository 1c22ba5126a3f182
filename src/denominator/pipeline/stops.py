"""Who ends the agent phase of an attempt that has a model: the harness, one of its budgets, the run's cap, a lost gateway."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from denominator.ports import Clock, Ended, RelayLease, Stop
from denominator.records.words import KilledBy
from denominator.run.spending import CALLS, FAILED_CALLS, RUN_CAP, TOKENS, TOOL_CALLS

GRACE_S = 10
"""What an agent has after a budget refused its first call, to write down what it knows and end by itself."""

NS = 1_000_000_000
LOST, PAUSED = "gateway_lost", "provider_pause"
OWN: Mapping[str, KilledBy] = {
    TOKENS: KilledBy.BUDGET_TOKENS,
    CALLS: KilledBy.BUDGET_CALLS,
    TOOL_CALLS: KilledBy.BUDGET_TOOL_CALLS,
}


@dataclass(slots=True)
class Watched:
    """`ports.Stop` that says once that a command is under way: a sandbox asks while it runs."""

    outer: Stop
    begun: Callable[[], None]
    said: bool = False

    def is_set(self) -> bool:
        """End now?"""
        if not self.said:
            self.said = True
            self.begun()
        return self.outer.is_set()


@dataclass(slots=True)
class PhaseStop:
    """`ports.Stop` of one agent phase: the harness's own stop, and what the gateway knows of the attempt.

    Working time is the time since the sandbox was asked for, without what the provider kept the attempt waiting.
    """

    outer: Stop
    lease: RelayLease
    clock: Clock
    working_s: int
    begun_ns: int = 0
    why: str = ""

    def is_set(self) -> bool:
        """End now? The first reason is kept; the harness's own is none of the attempt."""
        if self.why or self.outer.is_set():
            return True
        now = self.clock.mono_ns()
        self.begun_ns = self.begun_ns or now
        self.why = self._reason(now)
        return bool(self.why)

    def _reason(self, now: int) -> str:
        lease = self.lease
        if lease.refused_by:
            return lease.refused_by if now - lease.refused_ns >= GRACE_S * NS else ""
        if lease.lost:
            return LOST
        worked_ns = now - self.begun_ns - lease.paused_ms * 1_000_000
        return KilledBy.BUDGET_WORKING if worked_ns >= self.working_s * NS else ""


@dataclass(frozen=True, slots=True)
class Cut:
    """How an agent phase ended, and who ended it: `by` is run_cap, failed_calls, gateway_lost, provider_pause or ""."""

    ended: Ended
    by: str = ""


def cut_of(stop: PhaseStop, ended: Ended, waiting: bool) -> Cut:
    """Who ended it. A refused budget has, whatever the agent did afterwards; a lost gateway has, where nothing was refused.

    The wall clock that ran out while the provider kept the attempt waiting (`waiting`) is the provider's doing.
    """
    refused = stop.lease.refused_by
    stopped = ended.killed_by == KilledBy.HARNESS_STOP
    if refused in (RUN_CAP, FAILED_CALLS):
        return Cut(replace(ended, killed_by=KilledBy.HARNESS_STOP), refused)
    if refused:
        return Cut(replace(ended, killed_by=OWN[refused]))
    if stop.lease.lost and (stop.why == LOST or not stopped):
        return Cut(ended, LOST)
    if stopped and stop.why == KilledBy.BUDGET_WORKING:
        return Cut(replace(ended, killed_by=KilledBy.BUDGET_WORKING))
    if ended.killed_by == KilledBy.BUDGET_WALL and waiting:
        return Cut(ended, PAUSED)
    return Cut(ended)
