"""The row shapes, most telling first. One shape, one file; a test finds the file that nobody listed."""

from __future__ import annotations

from denominator.importers.shapes import (
    applies,
    attempts,
    before_after,
    calls,
    checkpoints,
    clause_events,
    errors,
    graded_trials,
    locked_events,
    outcomes,
    passed,
    repeats,
    rewards,
    seeds,
    snapshots,
    spend,
    tasks,
    traces,
    trials,
    verifications,
)
from denominator.importers.shapes.base import Shape

SHAPES: tuple[Shape, ...] = (
    graded_trials.SHAPE,
    checkpoints.SHAPE,
    seeds.SHAPE,
    locked_events.SHAPE,
    clause_events.SHAPE,
    trials.SHAPE,
    spend.SHAPE,
    passed.SHAPE,
    rewards.SHAPE,
    outcomes.SHAPE,
    repeats.SHAPE,
    calls.SHAPE,
    before_after.SHAPE,
    attempts.SHAPE,
    verifications.SHAPE,
    traces.SHAPE,
    applies.SHAPE,
    snapshots.SHAPE,
    errors.SHAPE,
    tasks.SHAPE,
)
"""Every shape; the first that fits wins, unless the rows hold the judging columns of two."""

__all__ = ["SHAPES", "Shape"]
