"""Seeing from outside that a foreign command has reached a checkpoint. Its files are read and never followed or run."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from denominator.faultbench.subjects.processes import inside, is_stopped
from denominator.wire.trees import read_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """Where a command works and speaks; `since` is the monotonic time at which it began."""

    work: Path
    said: Path
    since: float

    def sees(self, how: str) -> bool:
        """Does a declared way say now that its checkpoint is reached?"""
        word, _, rest = how.partition(":")
        if word == "file":
            return self._lines(self.work, rest) is not None
        if word == "line":
            path, _, text = rest.partition(":")
            return text.encode() in (self._lines(self.work, path) or b"")
        if word == "output":
            return rest.encode() in (self._lines(self.said.parent, self.said.name) or b"")
        if word == "after":
            return time.monotonic() - self.since >= int(rest) / 1000
        return any(is_stopped(pid) for pid in inside())

    @staticmethod
    def _lines(root: Path, path: str) -> bytes | None:
        try:
            return read_file(root, path)
        except OSError:
            return None
