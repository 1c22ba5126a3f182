"""The lists of a run report, by the names that they had in one version or another, and one state for each id."""

from __future__ import annotations

from dataclasses import dataclass, field

LISTS = {
    "resolved": ("resolved_ids", "resolved"),
    "unresolved": ("unresolved_ids", "unresolved"),
    "empty": ("empty_patch_ids",),
    "error": ("error_ids",),
    "failed": ("failed_ids",),
    "pending": ("pending_ids",),
    "incomplete": ("incomplete_ids",),
    "completed": ("completed_ids",),
    "submitted": ("submitted_ids",),
    "infra": ("infra_failure_ids",),
    "ambiguous": ("ambiguous_failure_ids",),
}
"""List -> the names that it had in one version or another."""
STATES = ("pending", "failed", "error", "empty", "unresolved", "resolved", "incomplete")
"""The precedence: an id that stands in several lists is in the first of these, so that a pass is never taken from an overlap."""


@dataclass(slots=True)
class RunReport:
    """The lists of one report: `ids` by list, `places` where an id stands first, `reasons` of failures as the harness says."""

    file: str
    counts: dict[str, int] = field(default_factory=dict)
    ids: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    hosted: bool = False
    _sets: dict[str, frozenset[str]] = field(default_factory=dict)
    _places: dict[str, str] = field(default_factory=dict)

    def has(self, name: str, task: str) -> bool:
        """Does an id stand in a list?"""
        return task in self._sets.get(name, ())

    def state(self, task: str) -> str:
        """One of STATES, `submitted` (foreign to the dataset, or never looked at), `completed` (nobody says how), or nothing."""
        for name in (*STATES, "completed", "submitted"):
            if self.has(name, task):
                return name
        return ""

    def lists_of(self, task: str) -> tuple[str, ...]:
        """Every list that names an id."""
        return tuple(name for name in LISTS if self.has(name, task))

    def every(self) -> list[str]:
        """All ids, in the order in which the lists name them first."""
        return list(self._places)

    def place(self, task: str) -> str:
        """The pointer of the list that gives an id its state."""
        return self._places.get(task, "")

    def foreign(self) -> tuple[str, ...]:
        """Ids that were handed in and that are not of the dataset, where the lists name all of it."""
        return () if self._has_room() else self._nowhere()

    def lost(self) -> tuple[str, ...]:
        """Ids that were handed in and that no list names, though the dataset has room for them: nobody evaluated them."""
        return self._nowhere() if self._has_room() else ()

    def _nowhere(self) -> tuple[str, ...]:
        return tuple(task for task in self.ids.get("submitted", ()) if self.state(task) == "submitted")

    def _has_room(self) -> bool:
        """Is the dataset larger than its ids in the lists, by as many as are nowhere?"""
        total, nowhere = self.counts.get("total_instances"), len(self._nowhere())
        return total is not None and nowhere > 0 and total >= len(self._places)
