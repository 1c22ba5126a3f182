"""What an agent left in `.git` is read without following anything, and what cannot be read is itself a sign."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from denominator.pipeline.meddling import HOOKS_MOST, _git_left

PLAIN = "[core]\n\tbare = false\n"
EVIL = "[core]\n\tfsmonitor = ./x\n"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / ".git" / "hooks").mkdir(parents=True)
    (tmp_path / ".git" / "config").write_text(PLAIN)
    (tmp_path / ".git" / "hooks" / "pre-commit.sample").touch()
    return tmp_path


def test_a_plain_repository_and_none_at_all_run_nothing(work: Path, tmp_path: Path) -> None:
    assert _git_left(work) == ()
    assert _git_left(tmp_path / ".git" / "hooks") == ()


@pytest.mark.parametrize("name", ["config", "config.worktree"])
def test_settings_are_seen_wherever_they_lie(work: Path, name: str) -> None:
    (work / ".git" / name).write_text(EVIL)
    assert _git_left(work) == (".git/config: core.fsmonitor",)


@pytest.mark.parametrize("how", ["link", "fifo", "large", "folder"])
def test_settings_that_are_no_plain_file_are_a_sign(work: Path, how: str) -> None:
    config = work / ".git" / "config"
    config.unlink()
    (work / "evil").write_text(EVIL)
    {
        "link": lambda: config.symlink_to("../evil"), "fifo": lambda: os.mkfifo(config), "folder": config.mkdir,
        "large": lambda: config.write_text("#" * (2 << 20) + EVIL),
    }[how]()  # fmt: skip
    assert _git_left(work) == (".git/config: no plain file that can be read",)


def test_another_place_for_settings_and_hooks_is_a_sign(work: Path) -> None:
    (work / ".git" / "commondir").write_text("../elsewhere\n")
    assert _git_left(work) == (".git/commondir",)


def test_a_hook_is_not_lost_among_samples(work: Path) -> None:
    hooks = work / ".git" / "hooks"
    for number in range(HOOKS_MOST + 5):
        (hooks / f"{number}.sample").touch()
    (hooks / "post-checkout").touch()
    assert ".git/hooks/(more than are read)" in _git_left(work)


def test_hooks_behind_a_link_are_a_sign(work: Path) -> None:
    hooks = work / ".git" / "hooks"
    (hooks / "pre-commit.sample").unlink()
    hooks.rmdir()
    hooks.symlink_to("/tmp")
    assert _git_left(work) == (".git/hooks/(a link in place of the folder)",)
