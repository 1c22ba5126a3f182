"""Numbers over the trials of a fault bench: a closed family of metrics, one file each."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from denominator.metrics.durability import (
    double_apply_rate,
    faultless_calls,
    faultless_pass_rate,
    faultless_tokens,
    faultless_wall,
    quiet_pass_rate,
    replay_calls,
    replay_tokens,
    replay_wall,
    rsr,
    rsr_given_pass,
)
from denominator.metrics.durability.shape import BenchMetric
from denominator.records.durability import BenchSheet
from denominator.records.estimates import Estimate
from denominator.records.trials import BenchReading

__all__ = ["BENCH_METRICS", "BenchMetric", "measure_bench", "trials_digest"]

BENCH_METRICS: tuple[BenchMetric, ...] = (
    faultless_pass_rate.METRIC,
    faultless_calls.METRIC,
    faultless_tokens.METRIC,
    faultless_wall.METRIC,
    rsr.METRIC,
    rsr_given_pass.METRIC,
    double_apply_rate.METRIC,
    replay_calls.METRIC,
    replay_tokens.METRIC,
    replay_wall.METRIC,
    quiet_pass_rate.METRIC,
)


def measure_bench(sheet: BenchSheet) -> tuple[Estimate, ...]:
    """Every metric of the family, in the order of the list."""
    read, digest = BenchReading(sheet), trials_digest(sheet)
    return tuple(replace(metric.measure(read), rows_digest=digest) for metric in BENCH_METRICS)


def trials_digest(sheet: BenchSheet) -> str:
    """sha256 of what the numbers were made from: task, repeat, fault, control, interrupted, ended of each trial."""
    lines = [
        repr((one.task_id, one.repeat, one.fault, one.control, str(one.interrupted), str(one.ended)))
        for one in sheet.trials
    ]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()
