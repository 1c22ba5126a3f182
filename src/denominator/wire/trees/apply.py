"""Putting a patch onto a pristine copy: fresh folder, no link followed, durable when it returns."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from denominator.errors import InputError
from denominator.records.trees import Change, Patch, Tree
from denominator.wire.trees.diff import Keep
from denominator.wire.trees.read import path_problem, plain_mode, read_file, read_tree


class ApplyError(InputError):
    """A patch does not fit the tree."""


def apply_patch(
    base_root: Path,
    patch: Patch,
    get_blob: Callable[[str], bytes],
    dest: Path,
    keep: Keep | None = None,
    *,
    written: Callable[[], None] | None = None,
) -> Tree:
    """Copy the pristine base to `dest` (it must not exist), apply the changes that `keep` lets through, sync.

    `dest` is a staging place beside its final one: the caller renames it. `written` is called before anything is synced.
    Returns the tree as read back.
    """
    base = read_tree(base_root, trusted=True)
    if base.digest != patch.base_tree:
        raise ApplyError(f"the patch is for tree {patch.base_tree}, this is {base.digest}", where=str(base_root))
    chosen = [change for change in patch.changes if keep is None or keep(change)]
    copy_tree(base_root, dest, base)
    try:
        for change in sorted((c for c in chosen if c.op == "delete"), key=lambda c: c.path, reverse=True):
            _delete(dest, change.path)
        for change in chosen:
            if change.op != "delete":
                _put(dest, change, get_blob)
    except OSError as error:
        raise ApplyError(f"does not apply ({error.strerror or error})", where=str(error.filename or dest)) from None
    if written is not None:
        written()
    sync_tree(dest)
    return read_tree(dest, trusted=True)


def copy_tree(root: Path, dest: Path, tree: Tree | None = None) -> None:
    """A fresh copy of a trusted tree's files and links in plain modes; `.git` and empty folders stay behind."""
    have = tree or read_tree(root, trusted=True)
    if have.refused:
        raise InputError(f"{have.refused[0].path or 'the tree'} {have.refused[0].why}", where=str(root))
    dest.mkdir(mode=0o755)
    dest.chmod(0o755)
    for entry in have.entries:
        if entry.kind == "file":
            write_file(dest, entry.path, read_file(root, entry.path), entry.mode)
        elif entry.kind == "link":
            _copy_link(root, dest, entry.path)
        else:
            raise InputError("is no regular file", where=f"{root}/{entry.path}", fix="remove it from the tree")


def write_file(root: Path, path: str, data: bytes, mode: int) -> None:
    """Write one file below `root`, making folders, following no link, replacing only a file or a link."""
    if why := path_problem(path):
        raise ApplyError(why, where=path)

    def write(fd: int, name: str) -> None:
        _unlink(fd, name)
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=fd)
        with os.fdopen(file, "wb") as out:
            out.write(data)
            os.fchmod(file, plain_mode(mode))

    _inside(root, path, write)


def remove_file(root: Path, path: str) -> None:
    """Remove one file or link below `root`, and the folders that this leaves empty."""
    if why := path_problem(path):
        raise ApplyError(why, where=path)
    _delete(root, path)


def sync_tree(root: Path) -> None:
    """fsync every file and folder below `root` and the folder that holds it; links are followed nowhere."""
    for parent, _, names in os.walk(root, followlinks=False):
        for path in (Path(parent, name) for name in names):
            if not path.is_symlink():
                _fsync(path, os.O_RDONLY)
        _fsync(Path(parent), os.O_DIRECTORY)
    _fsync(root.parent, os.O_DIRECTORY)


def _fsync(path: Path, flags: int) -> None:
    fd = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _put(dest: Path, change: Change, get_blob: Callable[[str], bytes]) -> None:
    if change.kind != "file":
        raise ApplyError(f"a {change.kind} is never applied", where=change.path)
    data = read_file(dest, change.path) if change.op == "chmod" else get_blob(change.blob)
    if hashlib.sha256(data).hexdigest() != change.blob:
        raise ApplyError("the bytes are not those that the patch names", where=change.path)
    write_file(dest, change.path, data, change.mode)


def _delete(root: Path, path: str) -> None:
    def delete(fd: int, name: str) -> None:
        os.unlink(name, dir_fd=fd)

    _inside(root, path, delete, make=False)
    parts = path.split("/")[:-1]
    while parts:
        try:
            _inside(root, "/".join(parts), lambda fd, name: os.rmdir(name, dir_fd=fd), make=False)
        except OSError:
            return
        parts.pop()


def _unlink(fd: int, name: str) -> None:
    try:
        os.unlink(name, dir_fd=fd)
    except FileNotFoundError:
        return


def _inside(root: Path, path: str, act: Callable[[int, str], None], *, make: bool = True) -> None:
    """Call `act` with the folder of `path`, opened component by component, and the last name."""
    *parents, name = path.split("/")
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parents:
            if make:
                _mkdir(part, fd)
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
            os.close(fd)
            fd = inner
        act(fd, name)
    finally:
        os.close(fd)


def _mkdir(name: str, fd: int) -> None:
    try:
        os.mkdir(name, 0o755, dir_fd=fd)
    except FileExistsError:
        return
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
    os.fchmod(inner, 0o755)
    os.close(inner)


def _copy_link(root: Path, dest: Path, path: str) -> None:
    targets: list[str] = []
    _inside(root, path, lambda fd, name: targets.append(os.readlink(name, dir_fd=fd)), make=False)
    _inside(dest, path, lambda fd, name: os.symlink(targets[0], name, dir_fd=fd))
