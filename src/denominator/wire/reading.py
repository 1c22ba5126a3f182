"""One document being read: what was found wrong so far and how a place in it is named."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from denominator.errors import Problem
from denominator.wire.paths import Path, dotted, steps

BAD: Any = object()
"""What a decoder returns after it has reported a problem."""

Decoder = Callable[[Any, Path, "Reading"], Any]


@dataclass(slots=True)
class Reading:
    """One document being read: the problems found so far, how to name a place, whether people wrote it (TOML)."""

    place: Callable[[tuple[str | int, ...]], str]
    toml: bool = False
    problems: list[Problem] = field(default_factory=list)

    def bad(self, path: Path, what: str, fix: str = "") -> Any:
        """Note a problem."""
        self.problems.append(Problem(self.place(steps(path)), what, fix))
        return BAD


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint with the most similar valid name, or the valid names when there are few."""
    known = sorted(names)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"valid: {', '.join(known)}" if 0 < len(known) <= 12 else ""


def version_problem(value: Any, known: Iterable[int]) -> str | None:
    """What is wrong with a format version; None when this program reads it."""
    versions = tuple(known)
    if value.__class__ is int and value in versions:
        return None
    listed = ", ".join(str(version) for version in versions)
    return f"unknown schema_version {value!r:.40}; this program reads {listed}"


def plain_place(where: str) -> Callable[[tuple[str | int, ...]], str]:
    """Names a place as `file key`."""

    def place(parts: tuple[str | int, ...]) -> str:
        key = dotted(parts)
        return f"{where} {key}".strip() or "document"

    return place
