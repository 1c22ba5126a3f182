"""Reading a tree that someone hostile left: nothing is followed, nothing is run, nothing makes it crash."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from denominator.errors import InputError
from denominator.records.trees import Refused, Tree, TreeEntry

LINK_MODE = 0o777
_CHUNK = 1 << 20
_UNSAFE = frozenset(
    [*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)]
)
_FORMATS = (
    (stat.S_ISFIFO, "fifo"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "char"),
    (stat.S_ISBLK, "block"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeLimits:
    """Caps on what is read: paths, bytes of one file and of all, bytes of a path, depth, bytes of a patch."""

    files: int = 20_000
    file_bytes: int = 32 << 20
    total_bytes: int = 512 << 20
    path_bytes: int = 1_000
    depth: int = 60
    patch_bytes: int = 32 << 20


DEFAULT_LIMITS = TreeLimits()


def read_tree(root: Path, limits: TreeLimits = DEFAULT_LIMITS, *, trusted: bool = False) -> Tree:
    """The tree below `root`, without any `.git`; what cannot be taken over is in `refused`, with a reason.

    `trusted` is for folders of our own (a pack): installers share files by hard links, which are read there.
    """
    walk = _Walk(limits, trusted)
    try:
        fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(root), fix="give an existing folder") from None
    try:
        walk.folder(fd, "", 0)
    except _FullError:
        walk.refuse("", f"more than {limits.files} paths; the rest was not read")
    finally:
        os.close(fd)
    entries = tuple(sorted(walk.entries, key=lambda entry: entry.path))
    return Tree(entries=entries, digest=tree_digest(entries), refused=tuple(walk.refused))


def tree_digest(entries: Iterable[TreeEntry]) -> str:
    """sha256 over the byte-wise sorted lines `<sha256>  <mode>  <kind>  <path>` (docs/formats/trees.md)."""
    lines = sorted(f"{e.sha256}  {e.mode:04o}  {e.kind}  {e.path}\n".encode() for e in entries)
    return hashlib.sha256(b"".join(lines)).hexdigest()


EMPTY_TREE = tree_digest(())
"""The digest of a tree without any path."""


def read_file(root: Path, path: str, max_bytes: int = DEFAULT_LIMITS.file_bytes) -> bytes:
    """The bytes of one regular file below `root`, no component of `path` being followed as a link."""
    parts = path.split("/")
    fds = [os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]
    try:
        for part in parts[:-1]:
            fds.append(os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fds[-1]))
        fds.append(_open_file(parts[-1], fds[-1]))
        if not stat.S_ISREG(os.fstat(fds[-1]).st_mode):
            raise OSError(f"{path} is no regular file")
        data = b""
        while len(data) <= max_bytes and (chunk := os.read(fds[-1], _CHUNK)):
            data += chunk
    finally:
        for fd in reversed(fds):
            os.close(fd)
    if len(data) > max_bytes:
        raise OSError(f"{path} is larger than {max_bytes} bytes")
    return data


def plain_mode(mode: int) -> int:
    """Only the owner's execute bit counts, so that a umask or a setuid bit never travels."""
    return 0o755 if mode & stat.S_IXUSR else 0o644


class _FullError(Exception):
    """The cap on the number of paths is reached."""


class _Walk:
    """One pass over a tree by folder descriptors."""

    def __init__(self, limits: TreeLimits, trusted: bool) -> None:
        self.limits, self.trusted = limits, trusted
        self.entries: list[TreeEntry] = []
        self.refused: list[Refused] = []
        self.bytes = 0
        self.seen = 0

    def refuse(self, path: str, why: str) -> None:
        """Note a path that is not taken over."""
        self.refused.append(Refused(path=path, why=why.replace(": ", ", ")))

    def folder(self, fd: int, prefix: str, depth: int) -> None:
        """Everything in one folder, in name order; folders count too, or empty ones could tire us."""
        with os.scandir(fd) as found:
            names = sorted(entry.name for entry in islice(found, self.limits.files + 1))
        self.seen += len(names)
        if self.seen > self.limits.files:
            raise _FullError
        for name in names:
            if name == ".git":
                continue
            if why := _name_problem(name, prefix, self.limits):
                self.refuse(_shown(prefix + name), why)
            else:
                self.path(fd, name, prefix + name, depth)

    def path(self, fd: int, name: str, path: str, depth: int) -> None:
        """One path, whatever it is."""
        try:
            info = os.stat(name, dir_fd=fd, follow_symlinks=False)
            if stat.S_ISDIR(info.st_mode):
                self.enter(fd, name, path, depth + 1)
            elif stat.S_ISREG(info.st_mode):
                self.file(fd, name, path)
            elif stat.S_ISLNK(info.st_mode):
                target = os.fsencode(os.readlink(name, dir_fd=fd))
                self.add(path, "link", LINK_MODE, target)
            else:
                word = next((word for test, word in _FORMATS if test(info.st_mode)), "unknown")
                self.add(path, "other", 0, word.encode())
        except OSError as error:
            self.refuse(path, f"cannot be read ({error.strerror or error})")

    def enter(self, fd: int, name: str, path: str, depth: int) -> None:
        """A folder below; too deep ones are refused whole."""
        if depth > self.limits.depth:
            self.refuse(path, f"more than {self.limits.depth} folders deep")
            return
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
        try:
            self.folder(inner, f"{path}/", depth)
        finally:
            os.close(inner)

    def file(self, fd: int, name: str, path: str) -> None:
        """A regular file with one name only, within the caps."""
        file = _open_file(name, fd)
        try:
            info = os.fstat(file)
            if why := self.file_problem(info):
                self.refuse(path, why)
                return
            sha, size = hashlib.sha256(), 0
            while size <= self.limits.file_bytes and (chunk := os.read(file, _CHUNK)):
                sha.update(chunk)
                size += len(chunk)
        finally:
            os.close(file)
        self.bytes += size
        mode = plain_mode(info.st_mode)
        self.entries.append(TreeEntry(path=path, kind="file", mode=mode, size=size, sha256=sha.hexdigest()))

    def file_problem(self, info: os.stat_result) -> str:
        """Why an opened file is not read, or nothing."""
        if not stat.S_ISREG(info.st_mode):
            return "changed while it was read"
        if info.st_nlink != 1 and not self.trusted:
            return f"has {info.st_nlink} names (hard links)"
        if info.st_size > self.limits.file_bytes:
            return f"is larger than {self.limits.file_bytes} bytes"
        if self.bytes + info.st_size > self.limits.total_bytes:
            return f"all files together are larger than {self.limits.total_bytes} bytes"
        return ""

    def add(self, path: str, kind: str, mode: int, data: bytes) -> None:
        """A path without content of its own."""
        sha = hashlib.sha256(data).hexdigest()
        self.entries.append(TreeEntry(path=path, kind=kind, mode=mode, size=len(data), sha256=sha))


def _open_file(name: str, fd: int) -> int:
    """Opened without following a link and without waiting for a fifo's other end."""
    return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=fd)


def path_problem(path: str, limits: TreeLimits = DEFAULT_LIMITS) -> str:
    """Why a relative POSIX path cannot be one of ours, or nothing."""
    parts = path.split("/")
    if any(part in ("", ".", "..", ".git") for part in parts):
        return "is not a plain relative path"
    if len(parts) - 1 > limits.depth:
        return f"more than {limits.depth} folders deep"
    return _name_problem(path, "", limits)


def _name_problem(name: str, prefix: str, limits: TreeLimits) -> str:
    try:
        size = len((prefix + name).encode())
    except UnicodeEncodeError:
        return "the name is not UTF-8"
    if size > limits.path_bytes:
        return f"the path is longer than {limits.path_bytes} bytes"
    if any(ord(char) in _UNSAFE for char in name):
        return "the name holds control characters"
    return ""


def _shown(path: str) -> str:
    """A hostile name made printable."""
    data = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(f"\\x{ord(c):02x}" if ord(c) in _UNSAFE else c for c in data)[:1_000]
