"""Which files belong to a pack.

Left out, here and in the documented one-liner alike: `pack.lock` and `pack.audit.json`, bytecode, and what editors, tools and
desktops drop (`LEFT_OUT_FOLDERS`, `LEFT_OUT_FILES`). Everything else counts; nothing is left out silently.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.packs.layout import AUDIT_FILE, LOCK_FILE

LEFT_OUT_FOLDERS = ("__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache")
LEFT_OUT_FILES = ("*.pyc", "*.pyo", "*~", ".*.swp", ".*.swo", ".DS_Store", "Thumbs.db")


@dataclass(frozen=True, slots=True)
class Listed:
    """One regular file: POSIX path relative to the listed root, its size, and whether its owner may execute it."""

    path: str
    size: int
    executable: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """Files sorted bytewise by path, and what a pack may not hold."""

    files: tuple[Listed, ...]
    refused: tuple[Problem, ...]
    left_out: tuple[str, ...]


def list_files(root: Path) -> Listing:
    """Walk a folder, following no link. A symlink, device, socket, pipe or odd path name is refused, not skipped."""
    files: list[Listed] = []
    refused: list[Problem] = []
    left_out: list[str] = []
    for path, entry in _walk(root, ""):
        if _is_left_out(path, entry):
            left_out.append(path)
        elif problem := _refusal(path, entry):
            refused.append(problem)
        elif entry.is_file(follow_symlinks=False):
            info = entry.stat(follow_symlinks=False)
            files.append(Listed(path, info.st_size, bool(info.st_mode & stat.S_IXUSR)))
    files.sort(key=lambda file: os.fsencode(file.path))
    return Listing(tuple(files), tuple(refused), tuple(sorted(left_out)))


def checked_files(root: Path) -> tuple[Listed, ...]:
    """The files of a pack, or an error that names everything that may not be in one."""
    listing = list_files(root)
    if listing.refused:
        raise InputError("the folder holds what a pack cannot freeze", where=str(root), problems=listing.refused)
    return listing.files


def _walk(folder: Path, prefix: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            path = prefix + entry.name
            yield path, entry
            if entry.is_dir(follow_symlinks=False) and entry.name not in LEFT_OUT_FOLDERS:
                yield from _walk(Path(entry.path), path + "/")


def _is_left_out(path: str, entry: os.DirEntry[str]) -> bool:
    if path in (LOCK_FILE, AUDIT_FILE):
        return True
    if entry.is_dir(follow_symlinks=False):
        return entry.name in LEFT_OUT_FOLDERS
    return entry.is_file(follow_symlinks=False) and any(fnmatchcase(entry.name, glob) for glob in LEFT_OUT_FILES)


def _refusal(path: str, entry: os.DirEntry[str]) -> Problem | None:
    if any(ord(char) < 32 or char in "\\\x7f" or 0xD800 <= ord(char) < 0xE000 for char in entry.name):
        return Problem(
            repr(path), "the path name holds a control character, a backslash or bytes that are not UTF-8", "rename it"
        )
    if entry.is_symlink():
        return Problem(path, "a symlink; what it points to is not frozen", "put a copy of the file there")
    if not (entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)):
        return Problem(path, "not a regular file (device, socket or pipe)", "remove it")
    return None
