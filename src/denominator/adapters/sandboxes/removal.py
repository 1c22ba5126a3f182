"""Folders that agents had: measured, handed over and removed without following a link or trusting a name."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
import stat
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

from denominator.errors import MachineError

__all__ = ["disk_use", "give", "remove_tree"]

DEPTH_MAX = 256
FS_IOC_GETFLAGS, FS_IOC_SETFLAGS = 0x80086601, 0x40086602
LOCKS = 0x10 | 0x20  # immutable, append-only
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FIX = "look at the folder; a file that the kernel keeps must be removed by hand"


def _names(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]


def _walk(folder: int, depth: int = 0) -> Iterator[tuple[int, str, os.stat_result]]:
    """(descriptor of the parent, name, lstat) of everything below; a folder comes after what is in it."""
    if depth > DEPTH_MAX:
        raise OverflowError
    for name in _names(folder):
        try:
            found = os.lstat(name, dir_fd=folder)
            if stat.S_ISDIR(found.st_mode):
                with _looking_into(folder, name, found) as child:
                    yield from _walk(child, depth + 1)
        except (FileNotFoundError, NotADirectoryError):
            continue  # gone or swapped under our hands: the agent may be at work
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            continue
        yield folder, name, found


@contextlib.contextmanager
def _looking_into(parent: int, name: str, found: os.stat_result) -> Iterator[int]:
    """Open a folder to look at it; one that its owner closed is opened for as long, and closed again."""
    with contextlib.ExitStack() as undo:
        try:
            child = os.open(name, FOLDER, dir_fd=parent)
        except PermissionError:
            pinned = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
            undo.callback(os.close, pinned)
            itself = Path(f"/proc/self/fd/{pinned}")
            mode = stat.S_IMODE(found.st_mode)
            itself.chmod(mode | 0o500)
            undo.callback(itself.chmod, mode)
            child = os.open(itself, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        undo.callback(os.close, child)
        yield child


def disk_use(folders: list[Path], limit: int) -> int:
    """Bytes on disk below `folders`, counted only until they exceed `limit`; too deep or closed to us exceeds it."""
    total = 0
    for folder in folders:
        top = os.open(folder, FOLDER)
        try:
            for _, _, found in _walk(top):
                total += found.st_blocks * 512
                if total > limit:
                    return total
        except (OverflowError, PermissionError):
            return limit + 1
        finally:
            os.close(top)
    return total


def give(folder: Path, uid: int, gid: int) -> None:
    """Make `folder` and all in it the property of `uid`; refuses a file that also has a name elsewhere."""
    top = os.open(folder, FOLDER)
    try:
        links: dict[tuple[int, int], int] = {}
        for _, _, found in _walk(top):
            if not stat.S_ISDIR(found.st_mode) and found.st_nlink > 1:
                key = (found.st_dev, found.st_ino)
                links[key] = links.get(key, found.st_nlink) - 1
        if any(links.values()):
            raise MachineError(
                "a file in the workspace is linked from outside",
                where=str(folder),
                fix="copy files into a workspace, do not link them",
            )
        for parent, name, _ in _walk(top):
            os.chown(name, uid, gid, dir_fd=parent, follow_symlinks=False)
        os.fchown(top, uid, gid)
    except OverflowError as error:
        raise MachineError("the tree is too deep", where=str(folder), fix="at most 256 folders deep") from error
    finally:
        os.close(top)


def _clear_flags(handle: int) -> None:
    with contextlib.suppress(OSError):
        flags = struct.unpack("=i", fcntl.ioctl(handle, FS_IOC_GETFLAGS, bytes(8))[:4])[0]
        if flags & LOCKS:
            fcntl.ioctl(handle, FS_IOC_SETFLAGS, struct.pack("=q", flags & ~LOCKS))


def _unlock(parent: int, name: str) -> None:
    """Clear the immutable and append-only flags; only files and folders are opened, for devices act when opened."""
    mode = os.lstat(name, dir_fd=parent).st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=parent)
        try:
            _clear_flags(handle)
        finally:
            os.close(handle)


def _insist(parent: int, name: str, act: Callable[[], None]) -> None:
    """Do it; when it is not permitted, clear what may be in the way and do it once more."""
    try:
        act()
    except PermissionError:
        _clear_flags(parent)
        with contextlib.suppress(OSError):
            os.fchmod(parent, 0o700)
        with contextlib.suppress(OSError):
            _unlock(parent, name)
        act()


def _open_folder(parent: int, name: str) -> int:
    """Open a folder for emptying, whatever permissions it was left with."""
    with contextlib.suppress(PermissionError):
        return os.open(name, FOLDER, dir_fd=parent)
    pinned = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        Path(f"/proc/self/fd/{pinned}").chmod(0o700)
    finally:
        os.close(pinned)
    return os.open(name, FOLDER, dir_fd=parent)


def _lift(parent: int, name: str, top: int) -> str:
    """Move a folder up to `top` under a name that nobody can guess, so that depth never matters."""
    fresh = f".{secrets.token_hex(12)}"
    handle = _open_folder(parent, name)
    try:
        _clear_flags(handle)
        with contextlib.suppress(OSError):
            os.fchmod(handle, 0o700)  # moving a folder needs the right to write to it
    finally:
        os.close(handle)
    _insist(parent, name, lambda: os.rename(name, fresh, src_dir_fd=parent, dst_dir_fd=top))
    return fresh


def _clear_out(folder: int, top: int) -> list[str]:
    """Remove what is in `folder`; its folders are moved up and their new names returned."""
    lifted = []
    for name in _names(folder):
        if stat.S_ISDIR(os.lstat(name, dir_fd=folder).st_mode):
            lifted.append(_lift(folder, name, top))
        else:
            _insist(folder, name, lambda name=name: os.unlink(name, dir_fd=folder))  # type: ignore[misc]
    return lifted


def _empty(top: int) -> None:
    """Remove all below the folder open at `top`, with at most two folders open."""
    waiting = _clear_out(top, top)
    while waiting:
        name = waiting.pop()
        handle = _open_folder(top, name)
        try:
            waiting += _clear_out(handle, top)
        finally:
            os.close(handle)
        _insist(top, name, lambda name=name: os.rmdir(name, dir_fd=top))  # type: ignore[misc]


def remove_tree(folder: Path) -> None:
    """Remove a folder and all in it; nothing is followed. Raises `MachineError` naming it when something stays."""
    with contextlib.ExitStack() as open_folders:
        try:
            parent = os.open(folder.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            open_folders.callback(os.close, parent)
            top = _open_folder(parent, folder.name)
            open_folders.callback(os.close, top)
            _empty(top)
            _insist(parent, folder.name, lambda: os.rmdir(folder.name, dir_fd=parent))
        except OSError as error:
            if not os.path.lexists(folder):
                return
            kind = "a mount is left in it" if error.errno in (errno.EBUSY, errno.EXDEV) else error.strerror
            raise MachineError(f"a workspace cannot be removed: {kind}", where=str(folder), fix=FIX) from error
