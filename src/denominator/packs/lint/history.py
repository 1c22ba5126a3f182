"""What a repository's own records would give an agent, read as plain files: git is never run on what others wrote."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

NAMED_MAX = 20
READ_MAX = 1 << 20
HEADS = ("ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD")
_OBJECT_FOLDER = re.compile(r"[0-9a-f]{2}\Z")


def what_git_holds(git: Path) -> tuple[str, ...]:
    """Branches, tags, remotes, stash, reflogs, left heads, loose and packed objects of a `.git` folder, in words."""
    if not git.is_dir() or git.is_symlink():
        return ()
    refs = sorted({*_loose_refs(git), *_packed_refs(git)})
    said = [_named(ref) for ref in refs[:NAMED_MAX]]
    said += [f"{len(refs) - NAMED_MAX} refs more"] if len(refs) > NAMED_MAX else []
    said += [name for name in HEADS if (git / name).is_file()]
    said += [f"a reflog of {path}" for path in sorted(_files(git / "logs"))[:NAMED_MAX]]
    return (*said, *_objects(git / "objects"))


def is_git_folder(names: frozenset[str]) -> bool:
    """Is a folder with these entries a repository without a work tree, whatever it is called?"""
    return {"HEAD", "objects", "refs"} <= names


def _named(ref: str) -> str:
    kinds = {"refs/heads/": "branch ", "refs/tags/": "tag ", "refs/remotes/": "remote branch "}
    for prefix, kind in kinds.items():
        if ref.startswith(prefix):
            return kind + ref.removeprefix(prefix)
    return "the stash" if ref == "refs/stash" else ref


def _loose_refs(git: Path) -> Iterator[str]:
    yield from (f"refs/{path}" for path in _files(git / "refs"))


def _packed_refs(git: Path) -> Iterator[str]:
    try:
        with (git / "packed-refs").open("rb") as source:
            text = source.read(READ_MAX).decode("utf-8", "replace")
    except OSError:
        return
    for line in text.splitlines():
        words = line.split()
        if len(words) == 2 and not line.startswith(("#", "^")):
            yield words[1]


def _objects(folder: Path) -> Iterator[str]:
    loose = sum(1 for path in _files(folder) if _OBJECT_FOLDER.match(path.split("/", 1)[0]))
    packs = sum(path.endswith(".pack") for path in _files(folder / "pack"))
    yield from [f"{loose} loose objects"] if loose else []
    yield from [f"{packs} packs of objects"] if packs else []


def _files(folder: Path) -> Iterator[str]:
    """Files below a folder, relative to it; no link is followed."""
    for root, folders, names in os.walk(folder, followlinks=False):
        folders.sort()
        yield from (Path(root, name).relative_to(folder).as_posix() for name in sorted(names))
