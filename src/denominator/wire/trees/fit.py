"""Applying a git-style unified diff without git and without fuzz: every line is where the diff says, or no write."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from denominator.wire.trees.apply import remove_file, write_file
from denominator.wire.trees.parse import DiffError, FileDiff, parse_unified
from denominator.wire.trees.read import plain_mode, read_file

Content = tuple[bytes, int]
Reader = Callable[[str], Content | None]


def apply_unified(root: Path, diff: bytes) -> tuple[str, ...]:
    """Apply a diff to a tree in place; returns the touched paths. All or nothing is decided before the first write."""
    files = patched_files(lambda path: _read(root, path), parse_unified(diff))
    gone = {path for path, content in files.items() if content is None}
    for path in files.keys() - gone:
        _need_room(root, path, gone)
    for path in sorted(gone, reverse=True):
        remove_file(root, path)
    for path, content in sorted(files.items()):
        if content is not None:
            write_file(root, path, *content)
    return tuple(sorted(files))


def patched_files(read: Reader, diffs: Sequence[FileDiff]) -> dict[str, Content | None]:
    """The touched files after a diff: bytes and mode, or None where a file goes away. `read` sees the tree before."""
    written: dict[str, Content] = {}
    removed: set[str] = set()
    for diff in diffs:
        content = _content(read, diff)
        if diff.op in ("delete", "rename", "modify"):
            _once(removed, diff.old)
        if diff.op != "delete":
            if diff.new in written:
                raise DiffError("is written twice", where=diff.new)
            written[diff.new] = content
    for path in written:
        if path not in removed and read(path) is not None:
            raise DiffError("is there already", where=path)
    return {path: written.get(path) for path in sorted(removed | written.keys())}


def _once(removed: set[str], path: str) -> None:
    if path in removed:
        raise DiffError("is changed twice", where=path)
    removed.add(path)


def _content(read: Reader, diff: FileDiff) -> Content:
    have = (b"", 0o644) if diff.op == "add" else read(diff.old)
    if have is None:
        raise DiffError("is not there", where=diff.old)
    data, mode = have
    if diff.op != "add" and diff.old_mode and diff.old_mode != mode:
        raise DiffError(f"has mode {mode:o}, the diff says {diff.old_mode:o}", where=diff.old)
    data = _replace(data, diff)
    if diff.op == "delete" and data:
        raise DiffError("is deleted, but the diff leaves lines in it", where=diff.old)
    return data, diff.new_mode or mode


def _replace(data: bytes, diff: FileDiff) -> bytes:
    lines = data.split(b"\n")
    have = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    out: list[bytes] = []
    at = 0
    for number, hunk in enumerate(diff.hunks, 1):
        end = hunk.start + len(hunk.old)
        if hunk.start < at or tuple(have[hunk.start : end]) != hunk.old:
            raise DiffError(f"hunk {number} does not fit at line {hunk.start + 1}", where=diff.old)
        out += have[at : hunk.start]
        out += hunk.new
        at = end
    out += have[at:]
    if any(not line.endswith(b"\n") for line in out[:-1]):
        raise DiffError("a line in the middle would lack its newline", where=diff.new)
    return b"".join(out)


def _need_room(root: Path, path: str, gone: set[str]) -> None:
    """Refuse a path that a file or link above it, or files below it, would block after the removals."""
    parts = path.split("/")
    for above in ("/".join(parts[:n]) for n in range(1, len(parts))):
        if os.path.lexists(root / above) and above not in gone and not _is_folder(root / above):
            raise DiffError(f"{above} is no folder", where=path)
    if _is_folder(root / path):
        below = {os.path.relpath(Path(parent, n), root) for parent, _, names in os.walk(root / path) for n in names}
        if below - gone:
            raise DiffError("is a folder", where=path)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _read(root: Path, path: str) -> Content | None:
    if _is_folder(root / path):
        return None
    try:
        return read_file(root, path), plain_mode(os.lstat(root / path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise DiffError(f"cannot be read ({error.strerror or error})", where=path) from None
