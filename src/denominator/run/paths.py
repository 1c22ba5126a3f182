"""Which paths of a patch count, which are outside the allow-list, which are forbidden."""

from __future__ import annotations

from denominator.records.packs import Task
from denominator.records.trees import Change
from denominator.wire.trees import matches

# What tools leave behind by merely running; never applied, never a slip.
LITTER_GLOBS = ("**/__pycache__/**", "**/*.pyc", "**/.pytest_cache/**", "**/.mypy_cache/**", "**/.ruff_cache/**")


def is_litter(path: str) -> bool:
    """Is a path left behind by merely running a tool?"""
    return matches(LITTER_GLOBS, path)


def is_outside(task: Task, path: str) -> bool:
    """Is a path outside the task's allow-list?"""
    return not matches(task.allowed, path)


def is_forbidden(task: Task, path: str) -> bool:
    """Does the task forbid touching this path?"""
    return matches(task.forbidden, path)


def kept(task: Task, change: Change) -> bool:
    """Is this change taken over into the graded tree?"""
    return not (is_outside(task, change.path) or is_forbidden(task, change.path) or is_litter(change.path))
