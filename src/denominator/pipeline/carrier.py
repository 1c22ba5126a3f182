"""Who carries an attempt to its end: the slot thread itself, or a worker elsewhere (carrier_far.py)."""

from __future__ import annotations

from typing import Protocol

from denominator.pipeline.attempt import Turn, run_attempt
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Stop
from denominator.records.keys import AttemptKey
from denominator.run.progress import Progress


class Carrier(Protocol):
    """Brings one attempt to its end and returns how it stands. Raises StoppedError when told to stop before that."""

    def carry(self, world: World, run: OpenRun, key: AttemptKey, turn: Turn, stop: Stop) -> Progress: ...


class Here:
    """The slot thread does it."""

    def carry(self, world: World, run: OpenRun, key: AttemptKey, turn: Turn, stop: Stop) -> Progress:
        """Run the attempt in this thread."""
        return run_attempt(world, run, key, turn, stop)


HERE = Here()
