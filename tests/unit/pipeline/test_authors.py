"""Whose tests passed, as the graded event says it: only of what was taken over, and only where nothing is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from denominator.pipeline.authors import author_facts
from denominator.ports import Ended, Graded
from denominator.records.events import Json
from denominator.records.packs import LockedTask, Task, Verify
from denominator.records.trees import Change, Patch
from denominator.wire.trees import EMPTY_TREE

COMMAND = "/usr/bin/python3 -B -m unittest tests.test_new"


def change(path: str, op: str = "add", renamed_from: str = "") -> Change:
    return Change(path=path, op=op, kind="file", mode=0o644, size=1, blob="b", renamed_from=renamed_from)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_old.py").write_text("")
    return tmp_path


def facts(
    repo: Path, *changes: Change, hidden: str = EMPTY_TREE, command: str = COMMAND, allowed: str = "**"
) -> dict[str, Json]:
    verify = Verify(runner="command", timeout_s=5, level="G1", command=command)
    task = Task(
        id="a", title="", slice="solvable", expected="pass", reason="", license="MIT", allowed=(allowed,), verify=verify
    )
    locked = LockedTask(id="a", digest="d", prompt_sha256="p", base_tree="b", hidden_tree=hidden)
    ended = Ended(
        exit_code=0, signal=0, killed_by="nobody", oom=False, wall_ns=0, start_ns=0, stdout=b"", stderr=b"",
        output_truncated=False, report=b"", enforced={},
    )  # fmt: skip
    graded = Graded(
        grade="green", why="", level="G1", stage="finished", expected=(), passed=(), failed=(), skipped=(), missing=(),
        other=(), sentinels_expected=0, sentinels_failed=0, counter_expected=0, counter_failed=0, grader_sha="",
        report=b"", ended=ended, solution_caused=False, broken="",
    )  # fmt: skip
    return author_facts(task, locked, repo, Patch(base_tree="b", final_tree="f", changes=changes), graded)


def test_a_test_of_the_agents_making_is_its_own(repo: Path) -> None:
    assert facts(repo, change("tests/test_new.py")) == {"tests_written_by_agent": True}
    assert facts(repo, change("tests/test_new.py"), command="make test") == {"tests_written_by_agent": False}


def test_hidden_tests_leave_nothing_to_say(repo: Path) -> None:
    assert facts(repo, change("tests/test_new.py"), hidden="h") == {}


def test_what_was_moved_or_not_taken_over_is_not_its_own(repo: Path) -> None:
    moved = (change("tests/test_new.py", renamed_from="tests/test_old.py"), change("tests/test_old.py", "delete"))
    assert facts(repo, *moved) == {"tests_written_by_agent": False}
    assert facts(repo, change("tests/test_old.py", "chmod"), command="make") == {"tests_written_by_agent": False}
    assert facts(repo, change("tests/test_new.py"), allowed="*.py", command="make") == {"tests_written_by_agent": False}


def test_no_test_at_all_is_unknown_and_says_why(repo: Path) -> None:
    said = facts(repo, change("tests/test_old.py", "delete"), command="make")["tests_written_by_agent"]
    assert isinstance(said, dict) and said["not_measured"]
