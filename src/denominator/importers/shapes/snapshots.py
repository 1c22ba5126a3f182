"""Snapshots: what an attempt left, as git sees it."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.importers.raw import RawRow
from denominator.importers.shapes.base import Shape

SIGNS = frozenset({"git_diff_bytes", "worktree_diff_bytes", "base_to_head_bytes", "committed_bytes", "untracked"})


def _left(rows: Sequence[RawRow]) -> bool:
    return any(SIGNS & row.value.keys() for row in rows)


SHAPE = Shape(
    name="snapshots",
    method="M2, M15",
    what="one attempt a row: size of the work tree's difference, untracked files, commits since the base; a patch is "
    "empty only when all of them are",
    example='{"task_id": "t1", "base": "c0", "git_diff_bytes": 0, "untracked": ["src/new.py"], "head": "c0"}',
    signs=frozenset({"task_id"}),
    renames={"base": "base_commit", "head": "head_commit"},
    test=_left,
)
