"""Removing what dead runs left: scratch of finished runs, half-made runs, baselines that are too old to be used."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from denominator.adapters.sandboxes.removal import remove_tree
from denominator.errors import DenominatorError, RunInUseError
from denominator.pipeline.run import open_promises
from denominator.run.layout import RunFolder
from denominator.wiring.opening import list_runs, look_into

BASELINE_AGE_S = 24 * 3600
HALF_AGE_S = 3600
"""Nobody takes an hour to make a run's folder, or a file in it; a younger one may be in the making."""


def collect_garbage(
    runs_dir: Path, cache_dir: Path, dry_run: bool, left: Callable[[str], None] = lambda _: None
) -> Iterator[tuple[Path, str]]:
    """Yield (path, why) for everything that goes; with `dry_run` nothing is touched.

    Open runs are left alone, and so are runs that cannot be read: `left` is told.
    """
    for folder in list_runs(runs_dir):
        work = folder / "work"
        if work.is_dir() and _finished(folder, left):
            yield from _gone(work, "scratch of a finished run", dry_run)
        for part in sorted((*folder.glob(".*.part"), *folder.glob("blobs/??/.*.part"))):
            if _older(part, HALF_AGE_S):
                yield from _gone(part, "a file that was never finished", dry_run)
    for half in sorted(runs_dir.glob(".new-*")):
        if _older(half, HALF_AGE_S):
            yield from _gone(half, "a run that was never sealed", dry_run)
    for path in sorted((cache_dir / "baselines").glob("*.json")):
        if _older(path, BASELINE_AGE_S):
            yield from _gone(path, "a baseline older than a day", dry_run)


def _older(path: Path, seconds: int) -> bool:
    return time.time() - path.lstat().st_mtime > seconds


def _finished(folder: Path, left: Callable[[str], None]) -> bool:
    """Has it ended, by a journal that can be read from end to end? Where it stands is known without reading most of it."""
    try:
        run = look_into(RunFolder(folder))
        try:
            if broken := run.journal.verify():
                left(f"left alone, its journal was changed: {folder}: {broken[0]}")
                return False
            if open_promises(run):
                return False
            run.journal.check_free()  # whoever holds it may promise a retry at any moment
            return True
        finally:
            run.journal.close()
    except RunInUseError as error:
        left(f"left alone: {folder}: {error.what}")
        return False
    except DenominatorError as error:
        left(f"left alone, cannot be read: {error.where or folder}: {error.what}")
        return False


def _gone(path: Path, why: str, dry_run: bool) -> Iterator[tuple[Path, str]]:
    if not dry_run:
        remove_tree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    yield path, why
