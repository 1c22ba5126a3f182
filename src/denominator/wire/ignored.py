"""What `.gitignore` files of a tree say of a path, as git reads them: deeper files before others, the last line that matches wins.

What lies in an ignored folder stays ignored, whatever deeper lines say (gitignore(5)). The patterns are pathspec's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["NAME", "Ignored", "Ignores"]

NAME = ".gitignore"


class Ignored(NamedTuple):
    """Which line of which file names a path: `file` is its path in the tree, `line` its text."""

    file: str
    line: str


class Ignores:
    """The patterns of a tree's own files. `files` maps the path of each `.gitignore` to its text; a bad line matches nothing."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._said = {
            path.removesuffix(NAME): [
                (Ignored(path, line), spec) for line in text.splitlines() if (spec := _spec(line))
            ]
            for path, text in files.items()
        }

    def of(self, path: str) -> Ignored | None:
        """The line that ignores the file at `path` or a folder above it, None where none does."""
        parts = path.split("/") if self._said else []
        for depth in range(1, len(parts) + 1):
            name = "/".join(parts[:depth]) + ("/" if depth < len(parts) else "")
            if found := self._names(name):
                return found
        return None

    def _names(self, name: str) -> Ignored | None:
        """Of this very name (a folder's ends with a slash): the last line of the deepest file that has anything to say decides."""
        parts = name.rstrip("/").split("/")
        for depth in range(len(parts) - 1, -1, -1):
            folder = "".join(f"{part}/" for part in parts[:depth])
            for said, spec in reversed(self._said.get(folder, [])):
                if (include := _says(said.line, spec, name[len(folder) :])) is not None:
                    return said if include else None
        return None


def _says(line: str, spec: GitIgnoreSpec, name: str) -> bool | None:
    """True: ignored, False: taken back, None: not this very name. To pathspec a line means what lies below too."""
    plain = line.rstrip().rstrip("/")
    above, _, last = name.rstrip("/").rpartition("/")
    if "/" not in plain:
        return spec.check_file(last + name[len(name.rstrip("/")) :]).include
    include = spec.check_file(name).include
    below = above and not plain.endswith("/**") and spec.check_file(f"{above}/").include is not None
    return None if below else include


def _spec(line: str) -> GitIgnoreSpec | None:
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines([line])
    except ValueError:
        return None
