"""Which reference patches were failed by their surroundings, as the baseline tells."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.records.packs import BaselineRun
from denominator.records.words import Grade, Reason

SANDBOX, GRADER = str(Reason.SANDBOX_CONFIG), str(Reason.GRADER_ERROR)
"""Causes with which the detail of a grading of a reference patch may begin: a cause, a colon, a sentence."""
AGAINST = (Grade.RED, Grade.TAMPERED)


def blamed(runs: Iterable[BaselineRun]) -> tuple[tuple[str, str], ...]:
    """(task, cause) where every grading of the reference patch that was not green names the same cause."""
    causes: dict[str, set[str]] = {}
    for run in runs:
        if run.on == "gold" and run.grade in AGAINST:
            causes.setdefault(run.task_id, set()).add(run.detail.partition(": ")[0])
    single = ((task, *found) for task, found in sorted(causes.items()) if len(found) == 1)
    return tuple((task, cause) for task, cause in single if cause in (SANDBOX, GRADER))
