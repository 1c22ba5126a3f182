"""Temporary folders that say who made them, so that a later process can remove what a killed one left."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

__all__ = ["maker", "scratch_folder"]


def maker(pid: int | str = "self", proc: Path = Path("/proc")) -> str:
    """`<pid namespace>.<pid>.<start time>` of a process, which no two of one boot share; "" where that cannot be known."""
    try:
        words = (proc / str(pid) / "stat").read_text("utf-8", "replace")
        space = str((proc / "self/ns/pid").readlink()).strip("pid:[]")
        return f"{space}.{words.partition(' ')[0]}.{words.rpartition(')')[2].split()[19]}"
    except (OSError, IndexError):
        return ""


def scratch_folder(kind: str, remove: Callable[[Path], None] = shutil.rmtree) -> Path:
    """A fresh folder for temporary files, closed to others; folders of this kind whose makers are dead go first."""
    top = Path(tempfile.gettempdir())
    for left in top.glob(f"denominator-{kind}-*.*.*-*"):
        if _is_left(left, left.name.removeprefix(f"denominator-{kind}-").partition("-")[0]):
            try:
                remove(left)
            except OSError:
                continue  # somebody else is at it, or it will go with /tmp
    return Path(tempfile.mkdtemp(prefix=f"denominator-{kind}-{maker() or 'unknown'}-"))


def _is_left(folder: Path, whose: str) -> bool:
    """Is it a folder of ours, made in this pid namespace by a process that is no more?"""
    try:
        info = folder.lstat()
    except OSError:
        return False
    space, _, rest = whose.partition(".")
    here = maker().partition(".")[0]
    ours = stat.S_ISDIR(info.st_mode) and info.st_uid == os.geteuid()
    return ours and bool(here) and space == here and maker(rest.partition(".")[0]) != whose
