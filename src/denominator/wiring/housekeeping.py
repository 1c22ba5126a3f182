"""Removing what dead runs left: scratch of finished runs, baselines that are too old to be used."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.sandboxes.removal import remove_tree
from denominator.pipeline.run import open_promises
from denominator.wiring.opening import find_run, list_runs, open_run

BASELINE_AGE_S = 24 * 3600


def collect_garbage(runs_dir: Path, cache_dir: Path, dry_run: bool) -> Iterator[tuple[Path, str]]:
    """Yield (path, why) for everything that goes; with `dry_run` nothing is touched. Open runs are left alone."""
    for folder in list_runs(runs_dir):
        work = folder / "work"
        if work.is_dir() and _finished(folder):
            yield from _gone(work, "scratch of a finished run", dry_run)
    for half in sorted(runs_dir.glob(".new-*")) if runs_dir.is_dir() else []:
        yield from _gone(half, "a run that was never sealed", dry_run)
    for path in sorted((cache_dir / "baselines").glob("*.json")):
        if time.time() - path.stat().st_mtime > BASELINE_AGE_S:
            yield from _gone(path, "a baseline older than a day", dry_run)


def _finished(folder: Path) -> bool:
    run = open_run(find_run(str(folder), folder.parent), SystemClock(), NoFailpoints())
    try:
        return not open_promises(run)
    finally:
        run.journal.close()


def _gone(path: Path, why: str, dry_run: bool) -> Iterator[tuple[Path, str]]:
    if not dry_run:
        remove_tree(path) if path.is_dir() else path.unlink()
    yield path, why
