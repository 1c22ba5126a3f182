"""Which changed paths of a foreign row lie outside the allow-list of its task."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from denominator.wire.trees import matches


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a task card allows: these files, minus the forbidden ones; ignored ones are nobody's business."""

    files: tuple[str, ...] | None = None
    forbidden: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.files is not None or bool(self.forbidden)


def changed_paths(changes: object) -> tuple[str, ...] | None:
    """Every path that a list of changes touches: plain paths, or [op, path, ...] where a rename touches both.

    None when it is no such list. What a new link points to is touched too: "symlink->TARGET", from the link's folder.
    """
    if not isinstance(changes, list):
        return None
    found: list[str] = []
    for change in changes:
        parts = [change] if isinstance(change, str) else change[1:] if isinstance(change, list) else None
        if not parts or not all(isinstance(part, str) for part in parts):
            return None
        found.extend(_resolved(part, parts[0]) for part in parts)
    return tuple(dict.fromkeys(found))


def _resolved(part: str, path: str) -> str:
    if not part.startswith("symlink->"):
        return posixpath.normpath(part)
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), part.removeprefix("symlink->")))


def outside(paths: Iterable[str], allowed: Allowed) -> tuple[str, ...]:
    """The paths that the card does not allow."""
    return tuple(path for path in paths if not _fits(path, allowed))


def _fits(path: str, allowed: Allowed) -> bool:
    if _any(allowed.ignore, path):
        return True
    if path.startswith(("/", "../")) or path == ".." or _any(allowed.forbidden, path):
        return False
    return allowed.files is None or _any(allowed.files, path)


def _any(globs: Sequence[str], path: str) -> bool:
    return bool(globs) and matches(globs, path)
