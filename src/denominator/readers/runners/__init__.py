"""How a test runner ended: `read_ending` over its structured report, its exit status and what its supervisor saw."""

from denominator.readers.runners.read import read_ending
from denominator.readers.runners.shape import Evidence, ReportedIds, RunnerInput, RunnerReading

__all__ = ["Evidence", "ReportedIds", "RunnerInput", "RunnerReading", "read_ending"]
