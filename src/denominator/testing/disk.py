"""A disk that forgets: file calls below one folder go to a real file system, and what was not fsynced is remembered.

While `watched` is active, the calls that change names (`os.open` with O_CREAT, `open` for writing, mkdir, rename, link,
symlink, unlink, rmdir) and `os.fsync` of this process are seen; the code that makes them knows nothing of it. Each is
a step: `on_step` is told before it happens and may raise. `cut` then puts on the disk what a power cut could have left.

Two kinds of disk. `posix` promises what POSIX does: a file's bytes are durable after fsync of the file, a name after fsync
of its folder, all else may be there or not, in any order, though one name changes in order and a rename is whole.
`ordered` is a disk with a journal (ext4, XFS): names become durable in order, by any fsync; bytes as above.
The content of a file that was not synced may be empty, torn at any byte, zeros, as it was, or as it should be.
"""

from __future__ import annotations

import builtins
import io
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

KINDS = ("posix", "ordered")
CUT_ODDS = (0.0, 0.3, 0.7, 1.0)
"""Per cut: how likely a name, or bytes, that nobody synced are there all the same."""

Real = Callable[..., Any]


@dataclass(eq=False, slots=True)
class Node:
    """A file, link or folder. `durable` are its synced bytes (None: never synced), `kept` the entries that were synced."""

    kind: str
    mode: int
    durable: bytes | None = None
    last: bytes = b""
    now: dict[str, Node] = field(default_factory=dict)
    kept: dict[str, Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """One name of one folder now stands for another node, or for none."""

    folder: Node
    name: str
    node: Node | None


class Pending:
    """Changes of names that are made by one call, and that nobody has synced. Those of one place happen in their order."""

    __slots__ = ("changes", "folders", "places")

    def __init__(self, changes: tuple[Change, ...]) -> None:
        self.changes = changes
        self.folders = {id(change.folder) for change in changes}
        self.places = {(id(change.folder), change.name) for change in changes}


class ForgetfulDisk:
    """One folder on a disk that forgets. Everything that is there at the beginning is durable."""

    def __init__(self, root: Path, kind: str = "posix", on_step: Callable[[str, str], None] | None = None) -> None:
        self.root, self.kind, self.on_step = root, kind, on_step
        self.pending: list[Pending] = []
        self.by_inode: dict[tuple[int, int], Node] = {}
        self.steps = 0
        self.settle()

    def settle(self) -> None:
        """Take what is there now as durable."""
        self.pending, self.by_inode = [], {}
        self.top = self._load(self.root)

    def forget(self, frozen: FrozenDisk) -> None:
        """The folder was made `as_it_was`: what was not synced then is not synced now."""
        own = frozen.copied()
        self.top, self.pending = own.top, own.pending
        self.by_inode = dict(_inodes(self.top, self.root))

    @contextmanager
    def watched(self) -> Iterator[ForgetfulDisk]:
        """See the file calls of this process until the end of the block."""
        made = _Calls(self)
        names = (
            "open",
            "mkdir",
            "rename",
            "replace",
            "link",
            "symlink",
            "unlink",
            "remove",
            "rmdir",
            "fsync",
            "fdatasync",
        )
        patches = [patch.object(os, name, getattr(made, name)) for name in names]
        patches += [patch.object(io, "open", made.open_file), patch.object(builtins, "open", made.open_file)]
        for one in patches:
            one.start()
        try:
            yield self
        finally:
            for one in reversed(patches):
                one.stop()

    def step(self, what: str, where: str) -> None:
        """Something is about to change."""
        self.steps += 1
        if self.on_step is not None:
            self.on_step(what, where)

    def cut(self, rng: Random) -> None:
        """The power goes: the folder becomes one of the states that the disk may then have. Nothing may be running."""
        frozen = self.frozen()
        shutil.rmtree(self.root)
        frozen.after_cut(self.root, rng)
        self.settle()

    def frozen(self) -> FrozenDisk:
        """The disk as it is at this moment, to be put elsewhere: with what was not synced, or as a power cut leaves it."""
        self._remember(self.top, self.root)
        return FrozenDisk(self.kind, self.top, self.pending).copied()

    def _load(self, path: Path) -> Node:
        info = path.lstat()
        if stat.S_ISDIR(info.st_mode):
            node = Node("folder", stat.S_IMODE(info.st_mode))
            node.now = {entry.name: self._load(Path(entry.path)) for entry in os.scandir(path)}
            node.kept = dict(node.now)
        elif stat.S_ISLNK(info.st_mode):
            node = Node("link", 0o777, os.fsencode(path.readlink()))
        else:
            data = path.read_bytes()
            node = Node("file", stat.S_IMODE(info.st_mode), data, data)
        self.by_inode[info.st_dev, info.st_ino] = node
        return node

    def _remember(self, node: Node, path: Path) -> None:
        """What the files hold at this moment."""
        for name, child in node.now.items():
            if child.kind == "folder":
                self._remember(child, path / name)
            else:
                self.note_bytes(child, path / name)

    def note_bytes(self, node: Node, path: Path | str | int) -> None:
        """What one file holds at this moment, and its mode."""
        if node.kind == "file":
            with _open(path, "rb", closefd=not isinstance(path, int)) as src:
                node.last = src.read()
                node.mode = stat.S_IMODE(os.fstat(src.fileno()).st_mode)

    def changed(self, *changes: Change) -> None:
        """Names have changed, and nobody has synced them yet."""
        for change in changes:
            _enter(change.folder.now, change)
        self.pending.append(Pending(changes))

    def synced(self, node: Node, fd: int) -> None:
        """A descriptor was synced."""
        if node.kind == "file":
            self.note_bytes(node, f"/proc/self/fd/{fd}")
            node.durable = node.last
        needed, chosen, rest = set[tuple[int, str]](), list[Pending](), list[Pending]()
        for op in reversed(self.pending):
            if self.kind == "ordered" or id(node) in op.folders or not needed.isdisjoint(op.places):
                needed |= op.places
                chosen.append(op)
            else:
                rest.append(op)
        for op in reversed(chosen):
            for change in op.changes:
                _enter(change.folder.kept, change)
        self.pending = rest[::-1]


@dataclass(frozen=True, slots=True)
class FrozenDisk:
    """A disk at one moment of a run that may go on."""

    kind: str
    top: Node
    pending: list[Pending]

    def copied(self) -> FrozenDisk:
        """The same, of nodes of its own."""
        memo: dict[int, Node] = {}
        top = _copied(self.top, memo)
        pending = [
            Pending(
                tuple(Change(_copied(c.folder, memo), c.name, c.node and _copied(c.node, memo)) for c in op.changes)
            )
            for op in self.pending
        ]
        return FrozenDisk(self.kind, top, pending)

    def as_it_was(self, root: Path) -> None:
        """Make `root` (it must not exist) what the watched code last saw: only its processes were killed."""
        _write(root, self.top, lambda node: node.now, lambda node: node.last)

    def after_cut(self, root: Path, rng: Random) -> None:
        """Make `root` (it must not exist) one of the states that a power cut at that moment may have left."""
        left: dict[int, dict[str, Node]] = {}
        for op in self._chosen(rng):
            for change in op.changes:
                _enter(left.setdefault(id(change.folder), dict(change.folder.kept)), change)
        odds = rng.choice(CUT_ODDS)
        _write(root, self.top, lambda node: left.get(id(node), node.kept), lambda node: _bytes_of(node, rng, odds))

    def _chosen(self, rng: Random) -> list[Pending]:
        """Which changes of names that nobody synced are there all the same."""
        if self.kind == "ordered":
            return self.pending[: rng.randint(0, len(self.pending))]
        odds, lost, chosen = rng.choice(CUT_ODDS), set[tuple[int, str]](), list[Pending]()
        for op in self.pending:
            if not lost.isdisjoint(op.places) or rng.random() >= odds:
                lost |= op.places
            else:
                chosen.append(op)
        return chosen


def _inodes(node: Node, path: Path) -> Iterator[tuple[tuple[int, int], Node]]:
    info = path.lstat()
    yield (info.st_dev, info.st_ino), node
    for name, child in node.now.items():
        yield from _inodes(child, path / name)


def _copied(node: Node, memo: dict[int, Node]) -> Node:
    if id(node) not in memo:
        twin = memo[id(node)] = Node(node.kind, node.mode, node.durable, node.last)
        twin.now = {name: _copied(child, memo) for name, child in node.now.items()}
        twin.kept = {name: _copied(child, memo) for name, child in node.kept.items()}
    return memo[id(node)]


def _write(path: Path, node: Node, names: Callable[[Node], dict[str, Node]], data: Callable[[Node], bytes]) -> None:
    if node.kind == "link":
        path.symlink_to(os.fsdecode(node.durable or b""))
        return
    if node.kind == "folder":
        path.mkdir()
        for name, child in names(node).items():
            _write(path / name, child, names, data)
    else:
        path.write_bytes(data(node))
    path.chmod(node.mode)


def _enter(names: dict[str, Node], change: Change) -> None:
    if change.node is None:
        names.pop(change.name, None)
    else:
        names[change.name] = change.node


def _bytes_of(node: Node, rng: Random, odds: float) -> bytes:
    """What a file holds after the cut."""
    new, old = node.last, node.durable
    if new == old or rng.random() < odds:
        return new
    torn = rng.randint(0, len(new))
    if old is None:
        return rng.choice((b"", new[:torn], bytes(len(new)), new[:torn] + bytes(len(new) - torn)))
    return rng.choice((old, new[:torn] + old[torn:], new[:torn]))


_open = io.open


class _Calls:
    """The calls as the watched code sees them."""

    def __init__(self, disk: ForgetfulDisk) -> None:
        self.disk = disk
        self.real: dict[str, Real] = {
            name: getattr(os, name)
            for name in (
                "open", "mkdir", "rename", "replace", "link", "symlink", "unlink", "remove", "rmdir", "fsync", "fdatasync"
            )
        }  # fmt: skip

    def spot(self, path: Any, dir_fd: int | None) -> tuple[Node, str] | None:
        """The watched folder that holds a path, and the name in it."""
        if isinstance(path, int):
            return None
        head, name = os.path.split(os.fspath(path))
        try:
            if dir_fd is None:
                info = os.stat(head or ".")  # noqa: PTH116 (the names of `os` are what is watched)
            else:
                info = os.stat(head, dir_fd=dir_fd) if head else os.fstat(dir_fd)
        except OSError:
            return None
        folder = self.disk.by_inode.get((info.st_dev, info.st_ino))
        return None if folder is None else (folder, os.fsdecode(name))

    def born(self, kind: str, info: os.stat_result, data: bytes | None = None) -> Node:
        node = Node(kind, stat.S_IMODE(info.st_mode), data)
        self.disk.by_inode[info.st_dev, info.st_ino] = node
        return node

    def goes(self, node: Node | None, path: Any, dir_fd: int | None) -> None:
        """A name of this node is about to go: what it holds is kept, for the name may come back."""
        if node is None:
            return
        info = os.stat(path, dir_fd=dir_fd, follow_symlinks=False)
        if node.kind == "file":
            fd = self.real["open"](path, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=dir_fd)
            self.disk.note_bytes(node, fd)
            os.close(fd)
        if node.kind == "folder" or info.st_nlink == 1:
            self.disk.by_inode.pop((info.st_dev, info.st_ino), None)

    def open(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        spot = self.spot(path, dir_fd) if flags & os.O_CREAT else None
        if spot is None:
            return int(self.real["open"](path, flags, mode, dir_fd=dir_fd))
        self.disk.step("create", str(path))
        fd = int(self.real["open"](path, flags, mode, dir_fd=dir_fd))
        folder, name = spot
        if name not in folder.now:
            self.disk.changed(Change(folder, name, self.born("file", os.fstat(fd))))
        return fd

    def open_file(self, file: Any, mode: str = "r", *args: Any, **more: Any) -> Any:
        spot = self.spot(file, None) if set(mode) & set("wax+") else None
        if spot is None:
            return _open(file, mode, *args, **more)
        self.disk.step("create", str(file))
        opened = _open(file, mode, *args, **more)
        folder, name = spot
        if name not in folder.now:
            self.disk.changed(Change(folder, name, self.born("file", os.fstat(opened.fileno()))))
        return opened

    def mkdir(self, path: Any, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        spot = self.spot(path, dir_fd)
        if spot is not None and spot[1] not in spot[0].now:
            self.disk.step("mkdir", str(path))
        self.real["mkdir"](path, mode, dir_fd=dir_fd)
        if spot is not None:
            info = os.stat(path, dir_fd=dir_fd)
            self.disk.changed(Change(*spot, self.born("folder", info)))

    def rename(self, src: Any, dst: Any, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None) -> None:
        source, target = self.spot(src, src_dir_fd), self.spot(dst, dst_dir_fd)
        if source is None or target is None:
            self.real["rename"](src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
            return
        self.disk.step("rename", str(dst))
        old = target[0].now.get(target[1])
        if old is not None and old.kind == "file":
            self.goes(old, dst, dst_dir_fd)
        self.real["rename"](src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
        node = source[0].now[source[1]]
        self.disk.changed(Change(*source, None), Change(*target, node))

    replace = rename

    def link(self, src: Any, dst: Any, **more: Any) -> None:
        source, target = self.spot(src, more.get("src_dir_fd")), self.spot(dst, more.get("dst_dir_fd"))
        if source is not None and target is not None:
            self.disk.step("link", str(dst))
        self.real["link"](src, dst, **more)
        if source is not None and target is not None:
            self.disk.changed(Change(*target, source[0].now[source[1]]))

    def symlink(self, src: Any, dst: Any, target_is_directory: bool = False, *, dir_fd: int | None = None) -> None:
        spot = self.spot(dst, dir_fd)
        if spot is not None:
            self.disk.step("symlink", str(dst))
        self.real["symlink"](src, dst, target_is_directory, dir_fd=dir_fd)
        if spot is not None:
            info = os.stat(dst, dir_fd=dir_fd, follow_symlinks=False)
            self.disk.changed(Change(*spot, self.born("link", info, os.fsencode(src))))

    def unlink(self, path: Any, *, dir_fd: int | None = None) -> None:
        self._gone("unlink", path, dir_fd)

    def remove(self, path: Any, *, dir_fd: int | None = None) -> None:
        self._gone("remove", path, dir_fd)

    def rmdir(self, path: Any, *, dir_fd: int | None = None) -> None:
        self._gone("rmdir", path, dir_fd)

    def _gone(self, how: str, path: Any, dir_fd: int | None) -> None:
        spot = self.spot(path, dir_fd)
        if spot is None or spot[1] not in spot[0].now:
            self.real[how](path, dir_fd=dir_fd)
            return
        self.disk.step(how, str(path))
        node = spot[0].now.get(spot[1])
        if (
            node is not None
            and (node.kind == "folder") == (how == "rmdir")
            and not (node.kind == "folder" and node.now)
        ):
            self.goes(node, path, dir_fd)
        self.real[how](path, dir_fd=dir_fd)
        self.disk.changed(Change(*spot, None))

    def fsync(self, fd: Any) -> None:
        number = fd if isinstance(fd, int) else fd.fileno()
        info = os.fstat(number)
        node = self.disk.by_inode.get((info.st_dev, info.st_ino))
        if node is None:
            self.real["fsync"](fd)
            return
        self.disk.step("fsync", node.kind)
        self.disk.synced(node, number)

    fdatasync = fsync
