"""The gate of a fault bench: its rules, one file each, and the word they add up to."""

from __future__ import annotations

from denominator.gate.durability import (
    applied_twice,
    bad_trials,
    edited_trials,
    few_bench_tasks,
    idle_faults,
    missing_bench_control,
    single_shot_tasks,
    unfinished_bench,
    unknown_bench_state,
    unlike_repeats,
    violated_bench_control,
)
from denominator.gate.durability.controls import MEANING, controls_of
from denominator.gate.durability.shape import BenchRule
from denominator.gate.durability.verdict import judge_bench

__all__ = ["BENCH_RULES", "MEANING", "BenchRule", "controls_of", "judge_bench"]

BENCH_RULES: tuple[BenchRule, ...] = (
    violated_bench_control.RULE,
    missing_bench_control.RULE,
    unknown_bench_state.RULE,
    unfinished_bench.RULE,
    bad_trials.RULE,
    idle_faults.RULE,
    applied_twice.RULE,
    edited_trials.RULE,
    few_bench_tasks.RULE,
    single_shot_tasks.RULE,
    unlike_repeats.RULE,
)
