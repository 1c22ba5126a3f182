"""The gate of an endpoint bench: what its use asks for (METHODS M7), one rule a file, and the word they add up to."""

from __future__ import annotations

from denominator.gate.probing import (
    data_not_allowed,
    error_budget,
    few_probe_attempts,
    few_probe_cases,
    firm_latency_promise,
    no_data_policy,
    no_fallback,
    no_malformed_control,
    no_monitoring,
    one_window,
    probe_measures_quota,
    promise_never_kept,
    sla_needed,
    slow_for_the_job,
    timeout_stops_merges,
    unfinished_probe,
)
from denominator.gate.probing.shape import LEVELS, Level, ProbeRule
from denominator.gate.probing.verdict import judge_probe

__all__ = ["LEVELS", "PROBE_RULES", "Level", "ProbeRule", "judge_probe"]

PROBE_RULES: tuple[ProbeRule, ...] = (
    few_probe_attempts.RULE,
    no_malformed_control.RULE,
    one_window.RULE,
    unfinished_probe.RULE,
    probe_measures_quota.RULE,
    data_not_allowed.RULE,
    slow_for_the_job.RULE,
    no_fallback.RULE,
    timeout_stops_merges.RULE,
    error_budget.RULE,
    firm_latency_promise.RULE,
    no_monitoring.RULE,
    no_data_policy.RULE,
    sla_needed.RULE,
    few_probe_cases.RULE,
    promise_never_kept.RULE,
)
