"""The samples that were to be graded: how many of each task, and which."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from denominator.importers.foreign import digest, readable_id, undeclared
from denominator.records.declarations import Declaration, DeclaredTasks
from denominator.records.foreign import Told
from denominator.wire.sources import Source, loose_lines

SHORT = 16
"""Digits of a digest that are kept of each solution."""


@dataclass(slots=True)
class Samples:
    """Per task the digest of each solution in order; "" where the line holds a completion alone."""

    of: dict[str, list[str]] = field(default_factory=dict)

    def declaration(self, run_id: str) -> Declaration:
        """Each task as often as it has samples."""
        many = {task: len(solutions) for task, solutions in self.of.items()}
        groups = tuple(
            DeclaredTasks(tasks=tuple(task for task in many if many[task] == count), repeats=count)
            for count in sorted(Counter(many.values()))
        )
        return Declaration(run_id=run_id, declared_n=sum(many.values()), tasks=groups)

    @staticmethod
    def unknown(run_id: str) -> Declaration:
        """Nothing says what was scheduled."""
        return undeclared(run_id, "EvalPlus results hold the samples that were graded, and no samples lie beside them")


def samples_beside(files: Source, name: str, told: Told) -> Samples | None:
    """The samples of a results file, or None where they do not lie beside it."""
    if name not in files.names():
        return None
    told.files[name] = "samples that were to be graded"
    samples = Samples()
    for line in loose_lines(files, name):
        where = f"{name}:{line.number}"
        if not isinstance(line.value, dict):
            told.say("bad_line", where, line.fault or "holds no sample")
        elif task := readable_id(told, where, line.value.get("task_id")):
            solution = line.value.get("solution")
            samples.of.setdefault(task, []).append(short(solution) if isinstance(solution, str) else "")
    return samples


def short(solution: str) -> str:
    """What tells two solutions apart."""
    return digest(solution)[:SHORT]
