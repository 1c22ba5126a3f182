"""Whose tests passed in one of our own gradings, for its `graded` event: only where the task has no hidden ones."""

from __future__ import annotations

from pathlib import Path

from denominator.ports import Graded
from denominator.readers.tests import VisibleTests, written_by_agent
from denominator.records.events import Json
from denominator.records.packs import LockedTask, Task
from denominator.records.trees import Patch
from denominator.records.values import NotMeasured
from denominator.run.paths import kept
from denominator.wire.trees import EMPTY_TREE, read_tree


def author_facts(task: Task, locked: LockedTask, repo: Path, patch: Patch, graded: Graded) -> dict[str, Json]:
    """tests_written_by_agent: nothing where hidden tests decided, for then it does not matter what the agent wrote.

    A file that was only moved, or whose mode alone changed, is not of the agent's making.
    """
    if locked.hidden_tree != EMPTY_TREE:
        return {}
    changes = [change for change in patch.changes if kept(task, change)]
    made = ("add", "modify", "retype")
    tests = VisibleTests(
        base={*read_tree(repo, trusted=True).by_path(), *(one.path for one in changes)},
        written=frozenset(one.path for one in changes if one.op in made and not one.renamed_from),
        removed=frozenset(one.path for one in changes if one.op == "delete"),
        ids=graded.passed,
        command=task.verify.command,
    )
    found = written_by_agent(tests)
    said: Json = {"not_measured": found.not_measured} if isinstance(found, NotMeasured) else found
    return {"tests_written_by_agent": said}
