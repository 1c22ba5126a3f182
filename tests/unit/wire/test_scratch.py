"""Temporary folders of the dead go, of the living and of strangers stay."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from denominator.errors import MachineError
from denominator.wire import scratch

HOLD = """
import sys, time
from denominator.wire.scratch import scratch_folder

with scratch_folder("facts") as folder:
    (folder / "deep").mkdir()
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_process_left_goes(temporary: Path) -> None:
    env = os.environ | {"TMPDIR": str(temporary), "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen([sys.executable, "-c", HOLD], env=env, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout
        left = Path(other.stdout.readline().strip())
        assert scratch.sweep("facts") == [] and (left / "deep").is_dir(), "it lives"
        other.send_signal(signal.SIGKILL)
    assert scratch.sweep("bare") == [] and scratch.sweep("facts", dry_run=True) == [left]
    assert left.is_dir()
    scratch._sweep_once.cache_clear()
    with scratch.scratch_folder("facts") as mine:  # the next one of its kind removes it
        assert list(temporary.iterdir()) == [mine]
    assert list(temporary.iterdir()) == []


def test_it_is_taken_away_as_its_user_says_and_held_till_then(temporary: Path) -> None:
    seen = []

    def remove(folder: Path) -> None:
        seen.append((folder, scratch.sweep("facts")))
        folder.rmdir()

    with pytest.raises(ZeroDivisionError), scratch.scratch_folder("facts", remove) as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        raise ZeroDivisionError
    assert seen == [(folder, [])] and not folder.exists()


def test_what_is_just_being_made_is_left_alone_for_an_hour(temporary: Path) -> None:
    begun = temporary / f"{scratch._begun('facts')}x"
    begun.mkdir()
    assert scratch.sweep("facts") == []
    long_ago = time.time() - scratch.BEGUN_S - 60
    os.utime(begun, (long_ago, long_ago))
    assert scratch.sweep("facts") == [begun]


def test_links_and_strangers_stay(temporary: Path) -> None:
    (temporary / "mine").mkdir()
    (temporary / f"{scratch.held('facts')}link").symlink_to(temporary / "mine")
    (temporary / f"{scratch.held('facts')}file").write_text("")
    (temporary / f"{scratch.held('other')}x").mkdir()
    (temporary / "denominator-facts-abc").mkdir()
    assert scratch.sweep("facts") == [] and len(list(temporary.iterdir())) == 5


def test_two_sweepers_never_take_one_folder_together(temporary: Path) -> None:
    for number in range(20):
        (temporary / f"{scratch.held('facts')}{number}" / "deep").mkdir(parents=True)
    busy, taken, twice = set[Path](), list[Path](), list[Path]()

    def remove(folder: Path) -> None:
        twice.extend([folder] if folder in busy else [])
        busy.add(folder)
        time.sleep(0.002)
        taken.append(folder)
        shutil.rmtree(folder)
        busy.discard(folder)

    with ThreadPoolExecutor(4) as pool:
        found = [one for each in pool.map(lambda _: scratch.sweep("facts", remove), range(4)) for one in each]
    assert twice == [] and sorted(taken) == sorted(found) and len(taken) == 20


def test_what_cannot_be_removed_is_left_for_later(temporary: Path) -> None:
    (temporary / f"{scratch.held('facts')}a").mkdir()

    def remove(folder: Path) -> None:
        raise MachineError("a mount is left in it", where=str(folder), fix="-")

    scratch.sweep("facts", remove)
    assert len(list(temporary.iterdir())) == 1
