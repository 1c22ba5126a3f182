"""Workspaces: a sized tmpfs in the harness's private mounts where possible, else a plain folder that is measured.

One tmpfs holds all that a command may write: `work` (shown at the folder asked for) and, for each command, its
/tmp, /home and /dev/shm. So `disk_bytes` caps them together, and a `kill -9` of the harness takes mounts and
content with it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from denominator.adapters.sandboxes import kernel
from denominator.adapters.sandboxes.removal import remove_tree
from denominator.errors import MachineError

__all__ = ["Disk", "Scratch", "Workspaces"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    """A mounted workspace: where it is shown, where its tmpfs is, how large."""

    shown: Path
    tmpfs: Path
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratch:
    """The private writable folders of one command."""

    tmp: Path
    home: Path
    shm: Path


@dataclass(slots=True)
class Workspaces:
    """Makes and removes workspaces. `private` says that this process has mounts of its own."""

    private: bool = False
    _disks: dict[Path, Disk] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def make(self, folder: Path, owner: tuple[int, int] | None, size: int) -> Path:
        """Make `folder`, empty, the property of `owner`; its parents exist."""
        place = folder.parent.resolve(strict=True) / folder.name
        if place.exists() and any(place.iterdir()):
            raise MachineError("the workspace is not empty", where=str(place), fix="discard it first")
        place.mkdir(mode=0o700, exist_ok=True)
        if self.private:
            self._mount(place, owner, size)
        elif owner:
            os.chown(place, *owner, follow_symlinks=False)
        return place

    def _mount(self, place: Path, owner: tuple[int, int] | None, size: int) -> None:
        tmpfs = place.parent / f".{place.name}.disk"
        with contextlib.ExitStack() as undo:
            tmpfs.mkdir(mode=0o700, exist_ok=True)
            undo.callback(tmpfs.rmdir)
            kernel.mount_tmpfs(tmpfs, size)
            undo.callback(kernel.unmount, tmpfs)
            work = tmpfs / "work"
            work.mkdir(mode=0o755)
            if owner:
                os.chown(work, *owner)
            kernel.bind_mount(work, place)
            undo.pop_all()
        with self._lock:
            self._disks[place] = Disk(shown=place, tmpfs=tmpfs, size=size)

    def holding(self, path: Path) -> Disk | None:
        """The mounted workspace that `path` is (in), if any."""
        real = path.resolve()
        with self._lock:
            return next((self._disks[each] for each in (real, *real.parents) if each in self._disks), None)

    @contextlib.contextmanager
    def scratch(self, disk: Disk, owner: tuple[int, int]) -> Iterator[Scratch]:
        """Fresh private folders on the disk of a workspace, gone at the end."""
        base = disk.tmpfs / f"run-{secrets.token_hex(8)}"
        made = Scratch(tmp=base / "tmp", home=base / "home", shm=base / "shm")
        base.mkdir(mode=0o711)
        try:
            for folder, mode in ((made.tmp, 0o1777), (made.home, 0o700), (made.shm, 0o1777)):
                folder.mkdir()
                folder.chmod(mode)
                os.chown(folder, *owner)
            yield made
        finally:
            remove_tree(base)

    def discard(self, folder: Path) -> None:
        """Remove a folder, the workspaces mounted at and below it and whatever was left in them."""
        place = folder.parent.resolve() / folder.name
        with self._lock:
            below = [each for each in self._disks if place == each or place in each.parents]
            disks = [self._disks.pop(each) for each in below]
        for disk in disks:
            for mounted in (disk.shown, disk.tmpfs):
                kernel.unmount(mounted)
            disk.tmpfs.rmdir()
        remove_tree(place)

    def close(self) -> None:
        """Discard what is still mounted."""
        for place in list(self._disks):
            self.discard(place)
