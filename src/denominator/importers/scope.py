"""Which changed paths of a foreign row lie outside the allow-list of its task."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
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


OPS = ("status", "op", "type", "change_type", "action")
OLD = ("old_path", "previous_filename", "from", "old")
NEW = ("path", "new_path", "filename", "file", "to", "new")
TARGETS = ("target", "symlink", "link_target")
MODE = re.compile(r"[0-7]{4,6}(?: ?(?:->|=>|\.\.) ?[0-7]{4,6})?")
"""A file mode, or two: what became of a file's rights is no other path."""


def changed_paths(changes: object) -> tuple[str, ...] | None:
    """Every path that a list of changes touches: plain paths, [op, path, ...] or {status, path, old_path}.

    A rename touches both. None when it is no such list. What a new link points to is touched too: "symlink->TARGET",
    from the link's folder.
    """
    if not isinstance(changes, list):
        return None
    found: list[str] = []
    for change in changes:
        parts = [change] if isinstance(change, str) else _parts(change)[1:]
        if not parts:
            return None
        found.extend(_resolved(part, parts[0]) for part in parts)
    return tuple(dict.fromkeys(found))


def gone_paths(changes: object) -> tuple[str, ...]:
    """The paths of a list of changes that are no longer there: deleted, or renamed away."""
    listed = [_parts(change) for change in changes] if isinstance(changes, list) else []
    return tuple(parts[1] for parts in listed if len(parts) > 1 and parts[0][:1].upper() in ("D", "R"))


def _parts(change: object) -> list[str]:
    """Operation, then paths, the old one first; nothing where it is no change."""
    if isinstance(change, Mapping):
        found = [_first(change, OPS) or "M", _first(change, OLD), _first(change, NEW)]
        target = _first(change, TARGETS)
        return [part for part in found if part] + ([f"symlink->{target}"] if target else [])
    if not isinstance(change, list) or not all(isinstance(part, str) for part in change):
        return []
    return [part for place, part in enumerate(change) if place < 2 or not MODE.fullmatch(part)]


def _first(change: Mapping[str, object], names: Sequence[str]) -> str:
    return next((value for name in names if isinstance(value := change.get(name), str) and value), "")


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
