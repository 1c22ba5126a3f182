"""The disk that forgets forgets what a real one may, and nothing that it has promised to keep."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from denominator.testing.disk import KINDS, ForgetfulDisk
from denominator.wire.durable import sync_folder, write_file

SEEDS = 60


def states(
    folder: Path, kind: str, act: Callable[[Path], None], before: Callable[[Path], None] | None = None
) -> set[str]:
    """What cuts may leave after `act`: files and their bytes as text, one state a line of the set."""
    found = set()
    for seed in range(SEEDS):
        root = folder / f"{kind}-{seed}"
        root.mkdir()
        if before is not None:
            before(root)
        disk = ForgetfulDisk(root, kind)
        with disk.watched():
            act(root)
        disk.cut(Random(seed))
        left = sorted(path for path in root.rglob("*") if path.is_file())
        found.add(" ".join(f"{path.relative_to(root)}={path.read_text()!r}" for path in left))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_written_durably_is_there(tmp_path: Path, kind: str) -> None:
    assert states(tmp_path, kind, lambda root: write_file(root / "a", b"whole")) == {"a='whole'"}


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_that_nobody_synced_may_be_empty_torn_or_whole(tmp_path: Path, kind: str) -> None:
    def act(root: Path) -> None:
        (root / "a").write_text("whole")
        sync_folder(root)

    found = states(tmp_path, kind, act)
    assert {"a=''", "a='whole'", "a='wh'"} <= found
    assert "" not in found


def test_a_name_that_nobody_synced_may_be_gone(tmp_path: Path) -> None:
    def act(root: Path) -> None:
        fd = os.open(root / "a", os.O_WRONLY | os.O_CREAT)
        os.write(fd, b"whole")
        os.fsync(fd)
        os.close(fd)

    assert states(tmp_path, "posix", act) == {"", "a='whole'"}
    assert states(tmp_path, "ordered", act) == {"a='whole'"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_rename_is_whole(tmp_path: Path, kind: str) -> None:
    def begin(root: Path) -> None:
        (root / "old").write_text("x")

    found = states(tmp_path, kind, lambda root: (root / "old").rename(root / "new") and None, begin)
    assert found == {"old='x'", "new='x'"}


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_removed_or_replaced_may_come_back(tmp_path: Path, kind: str) -> None:
    def begin(root: Path) -> None:
        (root / "gone").write_text("x")
        (root / "kept").write_text("old")

    def act(root: Path) -> None:
        (root / "gone").unlink()
        (root / "new").write_text("new")
        (root / "new").rename(root / "kept")

    found = states(tmp_path, kind, act, begin)
    assert "gone='x' kept='old'" in found
    assert any("kept='new'" in one and "gone" not in one for one in found)
    assert all("kept=" in one for one in found)


def test_names_become_durable_in_order_only_on_a_disk_with_a_journal(tmp_path: Path) -> None:
    def act(root: Path) -> None:
        (root / "1").mkdir()
        (root / "1" / "a").touch()
        (root / "2").touch()

    assert states(tmp_path, "ordered", act) == {"", "1/a=''", "1/a='' 2=''"}
    assert states(tmp_path, "posix", act) == {"", "1/a=''", "1/a='' 2=''", "2=''"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kill_loses_nothing_and_a_cut_after_it_may(tmp_path: Path, kind: str) -> None:
    root = tmp_path / "first"
    root.mkdir()
    disk = ForgetfulDisk(root, kind)
    with disk.watched():
        (root / "a").write_text("x")
        frozen = disk.frozen()
    left = set()
    for seed in range(SEEDS):
        again = tmp_path / f"again-{seed}"
        frozen.as_it_was(again)
        assert (again / "a").read_text() == "x"
        later = ForgetfulDisk(again, kind)
        later.forget(frozen)
        later.cut(Random(seed))
        left.add((again / "a").exists())
    assert left == {True, False}


def test_the_code_below_the_folder_is_stopped_before_a_step(tmp_path: Path) -> None:
    said: list[str] = []

    def step(what: str, where: str) -> None:
        said.append(what)
        if what == "rename":
            raise InterruptedError(where)

    disk = ForgetfulDisk(tmp_path, on_step=step)
    with disk.watched(), pytest.raises(InterruptedError):
        write_file(tmp_path / "a", b"x")
    assert said == ["create", "fsync", "rename", "unlink"]
    assert not (tmp_path / "a").exists()
    assert Path("/").exists() and os.open.__module__ == "posix"
