"""Who an attempt is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class DrawKey:
    """(task, repeat): the unit of every rate. `repeat` counts from 1."""

    task_id: str
    repeat: int = 1


@dataclass(frozen=True, slots=True, order=True)
class AttemptKey:
    """One declared try inside a draw. `repeat` and `attempt` count from 1."""

    run_id: str
    task_id: str
    repeat: int = 1
    attempt: int = 1

    @property
    def draw(self) -> DrawKey:
        """The draw that this attempt belongs to."""
        return DrawKey(self.task_id, self.repeat)
