"""Folders that agents had: measured, given and removed, whatever was left in them."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from denominator.adapters.sandboxes.removal import disk_use, give, remove_tree
from denominator.errors import MachineError

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can")


def deep(folder: Path, levels: int) -> None:
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def test_a_tree_too_deep_for_any_path_goes(tmp_path):
    deep(tmp_path / "t", 5000)
    remove_tree(tmp_path / "t")
    assert os.listdir(tmp_path) == []


def test_wide_and_closed_folders_go(tmp_path):
    top = tmp_path / "t"
    for number in range(300):
        (top / f"d{number % 7}" / f"e{number}").mkdir(parents=True)
        (top / f"d{number % 7}" / f"e{number}" / "f").touch()
    for folder in sorted(top.rglob("*"), reverse=True):
        if folder.is_dir():
            folder.chmod(0)
    top.chmod(0)
    remove_tree(top)
    assert os.listdir(tmp_path) == []


def test_links_are_not_followed(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "f").write_text("stays")
    kept.chmod(0o500)
    top = tmp_path / "t"
    top.mkdir()
    (top / "a").symlink_to(kept)
    (top / "b").symlink_to(kept / "f")
    os.link(kept / "f", top / "hard")
    remove_tree(top)
    assert (kept / "f").read_text() == "stays" and stat.S_IMODE(kept.stat().st_mode) == 0o500
    link = tmp_path / "link"
    link.symlink_to(kept)
    with pytest.raises(MachineError):
        remove_tree(link)
    assert (kept / "f").read_text() == "stays"


def test_what_is_not_there_is_fine(tmp_path):
    remove_tree(tmp_path / "nothing")
    remove_tree(tmp_path / "no/parent")


@root_only
def test_devices_and_locked_files_go(tmp_path):
    top = tmp_path / "t"
    (top / "d").mkdir(parents=True)
    os.mknod(top / "d/null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    (top / "d/f").write_text("x")
    if shutil.which("chattr") is None or subprocess.run(["chattr", "+i", top / "d/f"]).returncode:
        pytest.skip("this file system has no immutable files")
    subprocess.run(["chattr", "+a", top / "d"], check=True)
    subprocess.run(["chattr", "+i", top], check=True)
    remove_tree(top)
    assert not top.exists()


@root_only
def test_a_mount_inside_is_reported_and_left(tmp_path):
    top = tmp_path / "t"
    (top / "m").mkdir(parents=True)
    script = f"""
import sys; sys.path[:0] = [{str(Path(__file__).parents[4] / "src")!r}]
from pathlib import Path
from denominator.adapters.sandboxes import kernel
from denominator.adapters.sandboxes.removal import remove_tree
from denominator.errors import MachineError
assert kernel.enter_private_mounts() == ""
kernel.mount_tmpfs(Path({str(top / "m")!r}), 1 << 20)
try:
    remove_tree(Path({str(top)!r}))
except MachineError as error:
    print(error.what)
"""
    done = subprocess.run(["/usr/bin/python3", "-c", script], capture_output=True, text=True, check=False)
    assert "a mount is left in it" in done.stdout, done.stderr


def test_disk_use(tmp_path):
    top = tmp_path / "t"
    (top / "a/b").mkdir(parents=True)
    before = disk_use([top], 1 << 40)
    (top / "a/b/f").write_bytes(b"x" * 300_000)
    (top / "a/link").symlink_to("/usr")
    assert 300_000 <= disk_use([top], 1 << 40) - before < 400_000
    assert disk_use([top, top], 100_000) > 100_000
    with open(top / "hole", "wb") as file:
        file.truncate(1 << 30)
    assert disk_use([top], 1 << 40) < 1 << 20


def test_what_cannot_be_measured_counts_as_too_much(tmp_path):
    deep(tmp_path / "t", 300)
    assert disk_use([tmp_path / "t"], 1 << 40) > 1 << 40


def test_a_closed_folder_is_measured_and_stays_closed(tmp_path):
    closed = tmp_path / "u/closed"
    closed.mkdir(parents=True)
    (closed / "f").write_bytes(bytes(300_000))
    closed.chmod(0)
    assert 300_000 <= disk_use([tmp_path / "u"], 1 << 40) < 400_000
    assert stat.S_IMODE(closed.stat().st_mode) == 0
    closed.chmod(0o700)


@root_only
def test_give_follows_nothing(tmp_path):
    kept = tmp_path / "kept"
    kept.write_text("x")
    top = tmp_path / "t"
    (top / "a").mkdir(parents=True)
    (top / "a/f").write_text("x")
    (top / "a/g").hardlink_to(top / "a/f")
    (top / "link").symlink_to(kept)
    give(top, 61000, 61000)
    assert {path.lstat().st_uid for path in (top, top / "a", top / "a/f", top / "link")} == {61000}
    assert kept.stat().st_uid == 0


@root_only
def test_give_refuses_a_link_to_the_outside(tmp_path):
    kept = tmp_path / "kept"
    kept.write_text("x")
    top = tmp_path / "t"
    top.mkdir()
    (top / "hard").hardlink_to(kept)
    with pytest.raises(MachineError, match="linked from outside"):
        give(top, 61000, 61000)
    assert kept.stat().st_uid == 0 and top.stat().st_uid == 0
