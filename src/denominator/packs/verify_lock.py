"""Does a pack on disk still hold what its lock says?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.packs.digests import lines_digest, locked_files, locked_task
from denominator.packs.layout import LOCK_FILE
from denominator.records.packs import FoundPack, LockedFile, PackLock


@dataclass(frozen=True, slots=True)
class LockCheck:
    """Paths that are gone, differ, or are on disk and not in the lock; and defects of the lock itself."""

    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    defects: tuple[Problem, ...] = ()

    @property
    def holds(self) -> bool:
        """Nothing differs."""
        return not self.problems

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that differs, in one list."""
        return (
            *(Problem(path, "is in the lock and not on disk") for path in self.missing),
            *(Problem(path, "differs from the lock") for path in self.changed),
            *(Problem(path, "is on disk and not in the lock") for path in self.unlisted),
            *self.defects,
        )


def verify_lock(found: FoundPack) -> LockCheck:
    """Compare a loaded pack with its lock, byte for byte and bit for bit."""
    if found.lock is None:
        raise InputError("the pack is not locked", where=found.root, fix="denominator pack lock " + found.root)
    disk = locked_files(Path(found.root))
    old, new = ({file.path: file for file in files} for files in (found.lock.files, disk))
    return LockCheck(
        missing=tuple(sorted(old.keys() - new.keys())),
        changed=tuple(sorted(path for path in old.keys() & new.keys() if old[path] != new[path])),
        unlisted=tuple(sorted(new.keys() - old.keys())),
        defects=tuple(_defects(found, found.lock, disk)),
    )


def require_locked(found: FoundPack) -> PackLock:
    """The lock of a pack, or an error that names every file that moved."""
    check = verify_lock(found)
    if found.lock is None or not check.holds:
        raise InputError(
            "the pack is not what its lock says: another pack is another experiment",
            where=found.root,
            problems=check.problems,
            fix="put the files back, or raise the version and lock again",
        )
    return found.lock


def _defects(found: FoundPack, lock: PackLock, disk: tuple[LockedFile, ...]) -> Iterator[Problem]:
    """A lock edited by hand disagrees with itself or with pack.toml."""
    if lines_digest(lock.files) != lock.digest:
        yield Problem(LOCK_FILE, "its digest is not that of its own file list")
    if (lock.pack_id, lock.pack_version) != (found.pack.id, found.pack.version):
        yield Problem(LOCK_FILE, f"is of {lock.pack_id} {lock.pack_version}, not {found.pack.id} {found.pack.version}")
    if lock.baseline is not None and lock.baseline.pack_digest != lock.digest:
        yield Problem(LOCK_FILE, "its baseline was taken of another digest")
    if lines_digest(disk) != lock.digest:
        return
    pins = {task.id: task.image for task in lock.tasks}
    if lock.tasks != tuple(locked_task(found, task, disk, pins.get(task.id, "")) for task in found.pack.tasks):
        yield Problem(LOCK_FILE, "its task digests are not those of the files")
    for task in found.pack.tasks:
        name, pin = task.environment.image, pins.get(task.id, "")
        if bool(name) != bool(pin) or not pin.startswith(name.partition("@")[0]):
            yield Problem(LOCK_FILE, f"its image of {task.id} is not the one that task.toml names")
