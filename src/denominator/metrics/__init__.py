"""Numbers over declared draws: a closed family of metrics, one file each."""

from __future__ import annotations

from denominator.metrics import (
    abstain_rate,
    contract_pass_rate,
    false_pass_rate,
    first_complete_pass_rate,
    flaky_rate,
    harness_error_rate,
    headline,
    infra_censor_rate,
    invalid_call_rate,
    patch_apply_fail_rate,
    resolved_rate,
    retry_rate,
    scoreable_rate,
    truncation_rate,
    unscoreable_rate,
)
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric
from denominator.records.estimates import Estimate
from denominator.records.judgements import Sheet

__all__ = ["METRICS", "Metric", "measure_all"]

METRICS: tuple[Metric, ...] = (
    headline.METRIC,
    scoreable_rate.METRIC,
    resolved_rate.METRIC,
    unscoreable_rate.METRIC,
    infra_censor_rate.METRIC,
    harness_error_rate.METRIC,
    flaky_rate.METRIC,
    abstain_rate.METRIC,
    contract_pass_rate.METRIC,
    invalid_call_rate.METRIC,
    retry_rate.METRIC,
    truncation_rate.METRIC,
    first_complete_pass_rate.METRIC,
    patch_apply_fail_rate.METRIC,
    false_pass_rate.METRIC,
)


def measure_all(sheet: Sheet) -> tuple[Estimate, ...]:
    """Every metric of the family, in the order of the list."""
    read = Reading(sheet)
    return tuple(metric.measure(read) for metric in METRICS)
