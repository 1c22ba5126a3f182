"""What one session of tests makes once and all its workers use: the baselines that runs keep."""

from __future__ import annotations

import os
from pathlib import Path

PLACE = "TESTS_KEPT"
"""The variable that names the folder of the session; `conftest.py` sets it before workers start."""


def cache_home(folder: Path) -> str:
    """Where a run in `folder` keeps its baselines, as XDG_CACHE_HOME.

    A kept baseline is found again under the digest of its pack, box, limits, grader and concurrency, so a test that
    changes one of them takes its own, and any other is spared six gradings a task.
    """
    return os.environ.get(PLACE) or str(folder / "cache")
