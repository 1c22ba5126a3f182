"""The fault bench (METHODS M4): interrupt a runner at named points, let it go on, and count on artifacts what came of it."""

from denominator.faultbench.benching import Wanted, bench_command, bench_ours
from denominator.faultbench.plans import Asked, default_faults, read_plan
from denominator.faultbench.running import BenchEnd
from denominator.faultbench.subjects.terms_command import WALL_S, CommandTerms, ReadCommand, checked, read_command

__all__ = [
    "WALL_S",
    "Asked",
    "BenchEnd",
    "CommandTerms",
    "ReadCommand",
    "Wanted",
    "bench_command",
    "bench_ours",
    "checked",
    "default_faults",
    "read_command",
    "read_plan",
]
