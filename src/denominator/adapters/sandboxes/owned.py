"""What every backend shares: who owns what, the folders given to a role, and one look at the machine for each set of terms."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path

from denominator.adapters.sandboxes.removal import give
from denominator.adapters.sandboxes.workspaces import Workspaces
from denominator.records.boxes import SandboxFacts
from denominator.records.envelopes import SandboxTerms

__all__ = ["Owned"]


class Owned(ABC):
    """A uid for each (slot, role) as root; an ordinary user has only its own."""

    def __init__(self, uid_base: int) -> None:
        self.as_user = os.geteuid() != 0
        self.workspaces = Workspaces()
        self._uid_base = uid_base
        self._found: dict[SandboxTerms, SandboxFacts] = {}

    @abstractmethod
    def find(self, terms: SandboxTerms) -> SandboxFacts:
        """What holds here, tried now."""

    def facts(self, terms: SandboxTerms) -> SandboxFacts:
        """What holds here, tried once for each set of terms."""
        if terms not in self._found:
            self._found[terms] = self.find(terms)
        return self._found[terms]

    def ids(self, role: str, slot: int) -> tuple[int, int]:
        """The uid and gid of a role of a slot."""
        if self.as_user:
            return os.getuid(), os.getgid()
        uid = self._uid_base + 2 * slot + (role == "grader")
        return uid, uid

    def workspace(self, folder: Path, *, role: str, slot: int, disk_bytes: int) -> Path:
        """An empty folder (its parent exists) of at most `disk_bytes`: by its mount where mounts are our own, else watched."""
        return self.workspaces.make(folder, self._owner(role, slot), disk_bytes)

    def hand_over(self, folder: Path, *, role: str, slot: int) -> None:
        """Make `folder` and all in it the property of the role's uid."""
        owner = self._owner(role, slot)
        if owner:
            give(folder, *owner)

    def discard(self, folder: Path) -> None:
        """Remove a workspace and whatever was left in it."""
        self.workspaces.discard(folder)

    def _owner(self, role: str, slot: int) -> tuple[int, int] | None:
        return None if self.as_user else self.ids(role, slot)
