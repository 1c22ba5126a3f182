"""File trees and the difference between two of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeEntry:
    """One path of a tree, POSIX style, relative. `kind` is file, link or other; `sha256` is of the bytes or link target."""

    path: str
    kind: str
    mode: int
    size: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A path that was seen and not read, and why; a folder stands for all below it, "" for everything not listed."""

    path: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A tree's entries, sorted by path, and its digest (docs/formats/trees.md); what was refused is not in the digest."""

    entries: tuple[TreeEntry, ...]
    digest: str
    refused: tuple[Refused, ...] = ()

    def by_path(self) -> dict[str, TreeEntry]:
        """Entries by path."""
        return {entry.path: entry for entry in self.entries}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One path that differs: `op` is add, modify, delete, chmod or retype; `blob` is the digest of the new bytes."""

    path: str
    op: str
    kind: str
    mode: int
    size: int
    blob: str
    renamed_from: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """The difference base -> final as whole files by digest; its canonical JSON's sha256 names it.

    `refused` lists what was not taken over, as "path: why" (a `why` holds no ": ").
    """

    base_tree: str
    final_tree: str
    changes: tuple[Change, ...]
    refused: tuple[str, ...] = ()
    schema_version: int = 1
