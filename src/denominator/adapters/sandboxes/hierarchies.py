"""The control group hierarchies of this machine, as the kernel's tables describe them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Hierarchy", "hierarchies"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """A mounted hierarchy as the kernel describes it: where it is, what it controls, where this process is in it."""

    version: int
    controllers: frozenset[str]
    top: Path
    own: Path

    def places(self) -> Iterator[Path]:
        """Where our folder may go, nearest first: v1 nests under our own group, v2 mostly must go further up."""
        yield self.own
        if self.version == 1:
            yield self.top
            return
        for parent in self.own.parents:
            if parent != self.top and self.top not in parent.parents:
                return
            yield parent


def hierarchies(mountinfo: str, membership: str) -> list[Hierarchy]:
    """Read /proc/self/mountinfo and /proc/self/cgroup."""
    paths: dict[str, str] = {}
    for line in membership.splitlines():
        _, names, path = line.split(":", 2)
        for name in names.split(",") if names else [""]:
            paths[name] = path
    found = []
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        root, top = before.split()[3:5]
        kind, _, options = after.split(" ", 2)
        if kind not in ("cgroup", "cgroup2"):
            continue
        version = 2 if kind == "cgroup2" else 1
        controllers = frozenset(options.strip().split(",")) if version == 1 else frozenset[str]()
        path = next((paths[name] for name in ([""] if version == 2 else sorted(controllers)) if name in paths), "/")
        inside = os.path.relpath(path, root)
        own = Path(top) / inside if not inside.startswith("..") else Path(top)
        found.append(Hierarchy(version=version, controllers=controllers, top=Path(top), own=own))
    return found
