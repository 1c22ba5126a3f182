"""The folders of gradings: gone after each, swept after a kill, left alone while somebody works in them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from denominator.adapters.graders import folders

GRADE = """
import sys
from pathlib import Path

from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from unit.adapters.graders.grading import Bench

box = Bubblewrap(python="/usr/bin/python3")
hidden = {"secret.txt": "the answer", "check.sh": "exec sleep 60"}
Bench(box, "", Path(sys.argv[1]), "command").grade({"sol.py": ""}, hidden, command="sh $HIDDEN/check.sh", level="G1")
"""


@pytest.fixture
def temp(tmp_path, monkeypatch):
    place = tmp_path / "temp"
    place.mkdir()
    monkeypatch.setattr(folders.tempfile, "tempdir", str(place))
    return place


def grading(tmp_path: Path, temp: Path) -> subprocess.Popen[bytes]:
    """A process in the middle of a grading whose hidden files lie on the disk."""
    env = os.environ | {"TMPDIR": str(temp), "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen([sys.executable, "-c", GRADE, str(tmp_path / "bench")], env=env)
    deadline = time.monotonic() + 60
    while not secrets_in(temp):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    return process


def secrets_in(temp: Path) -> list[Path]:
    return [path for path in temp.glob("*/hidden/secret.txt") if path.read_text() == "the answer"]


@pytest.mark.needs_bwrap
def test_a_killed_grading_is_swept_and_a_living_one_is_not(sandbox, tmp_path, temp):
    process = grading(tmp_path, temp)
    try:
        assert folders.sweep() == [] and secrets_in(temp)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    (left,) = [path.parents[1] for path in secrets_in(temp)]
    assert folders.sweep(dry_run=True) == [left] and secrets_in(temp)
    folders._sweep_once.cache_clear()
    with folders.grading_folder() as folder:  # what starts next removes it
        assert [path.name for path in temp.iterdir()] == [folder.name]
    assert list(temp.iterdir()) == []


def test_what_is_just_being_made_is_left_alone_for_an_hour(temp):
    begun = temp / f"{folders.BEGUN}x"
    begun.mkdir()
    assert folders.sweep() == []
    long_ago = time.time() - folders.BEGUN_S - 60
    os.utime(begun, (long_ago, long_ago))
    assert folders.sweep() == [begun]


def test_links_and_foreign_names_are_left_alone(temp):
    (temp / "mine").mkdir()
    (temp / f"{folders.NAME}link").symlink_to(temp / "mine")
    (temp / f"{folders.NAME}file").write_text("")
    assert folders.sweep() == [] and len(list(temp.iterdir())) == 3
