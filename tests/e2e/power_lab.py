"""A disk in a file: an ext4 image on a loop device, copied while it is mounted and in use, as a power cut would find it.

The kernel writes names and bytes to the image when it is told to sync, or after the commit interval, which is set to ten
minutes here. So a copy holds what was synced, and little else. While a copy is made the run is stopped (SIGSTOP).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MB = 1 << 20
COMMIT_S = 600


def sh(*argv: str | Path) -> subprocess.CompletedProcess[str]:
    """A command of the system."""
    return subprocess.run([str(arg) for arg in argv], capture_output=True, text=True, check=False)


def why_not() -> str:
    """Why no image can be mounted here, or ""."""
    if os.geteuid() != 0:
        return "mounting an image needs root"
    if not all(shutil.which(tool) for tool in ("mkfs.ext4", "mount", "umount", "e2fsck")):
        return "e2fsprogs and mount are not installed"
    with tempfile.TemporaryDirectory(prefix="denominator-power-") as name:
        try:
            with mounted(make_image(Path(name) / "try.img", 16), Path(name) / "at"):
                return ""
        except OSError as error:
            return f"loop devices are not allowed here: {error}"


def make_image(path: Path, megabytes: int) -> Path:
    """An empty ext4 file system in a sparse file."""
    with path.open("wb") as out:
        out.truncate(megabytes * MB)
    made = sh("mkfs.ext4", "-q", "-F", path)
    if made.returncode:
        raise OSError(made.stderr.strip())
    return path


@contextlib.contextmanager
def mounted(image: Path, at: Path) -> Iterator[Path]:
    """The image as a folder; mounting one that was copied in use replays its journal, as after a power cut."""
    at.mkdir(exist_ok=True)
    done = sh("mount", "-o", f"loop,commit={COMMIT_S},noatime", image, at)
    if done.returncode:
        raise OSError(done.stderr.strip() or "mount failed")
    try:
        yield at
    finally:
        for _ in range(50):
            if not sh("umount", at).returncode:
                break
            time.sleep(0.1)
        else:
            sh("umount", "-l", at)


def fsck(image: Path) -> str:
    """Replay the image's journal and check it; what was wrong, "" when nothing was."""
    done = sh("e2fsck", "-f", "-p", image)
    return "" if done.returncode in (0, 1) else done.stdout[-400:]


@dataclass(frozen=True)
class Reported:
    """What a run had said to be done at one moment: the digests of its events in order, and of which attempt each is."""

    shas: tuple[str, ...] = ()
    attempts: tuple[str, ...] = ()
    closed: frozenset[str] = frozenset()


def reported(run: Path) -> Reported:
    """The journal as everybody on the machine could read it at this moment (a copy of it is opened, nothing is touched)."""
    if not (run / "journal.db").exists():
        return Reported()
    with tempfile.TemporaryDirectory(prefix="denominator-power-") as name:
        for suffix in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(run / f"journal.db{suffix}", Path(name) / f"journal.db{suffix}")
        with contextlib.closing(sqlite3.connect(Path(name) / "journal.db")) as db:
            rows = db.execute("SELECT sha, task_id, repeat, attempt, kind FROM events ORDER BY seq").fetchall()
    attempts = tuple("" if row[1] is None else f"{row[1]} r{row[2]} a{row[3]}" for row in rows)
    closed = frozenset(name for name, row in zip(attempts, rows, strict=True) if row[4] == "closed")
    return Reported(tuple(row[0] for row in rows), attempts, closed)


@contextlib.contextmanager
def held(process: subprocess.Popen[str]) -> Iterator[None]:
    """The process and everything in its group stand still."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGSTOP)
    time.sleep(0.02)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGCONT)


def wait_for_growth(process: subprocess.Popen[str], file: Path, times: int) -> None:
    """Until a file has grown so often, or the process has ended."""
    for _ in range(times):
        before = _size(file)
        while process.poll() is None and _size(file) == before:
            time.sleep(0.002)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return -1


def copy_image(image: Path, to: Path) -> Path:
    """The image as it is at this moment."""
    done = sh("cp", "--sparse=always", image, to)
    if done.returncode:
        raise OSError(done.stderr.strip())
    return to
