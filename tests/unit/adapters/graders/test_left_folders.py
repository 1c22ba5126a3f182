"""The folders of gradings: gone after each, swept after a kill, left alone while somebody works in them."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from denominator.wire import scratch

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
    monkeypatch.setattr(tempfile, "tempdir", str(place))
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
        assert scratch.sweep("grading") == scratch.sweep("kit") == [] and secrets_in(temp)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    (left,) = [path.parents[1] for path in secrets_in(temp)]
    assert scratch.sweep("grading", dry_run=True) == [left] and secrets_in(temp)
    scratch._sweep_once.cache_clear()
    with (
        scratch.scratch_folder("grading") as folder,
        scratch.scratch_folder("kit") as kit,
    ):  # what starts next removes it
        assert {path.name for path in temp.iterdir()} == {folder.name, kit.name}
    assert list(temp.iterdir()) == []


KITS = """
import os
from denominator.adapters.graders.kits import kit
from denominator.adapters.graders.own_files import own_files

files = own_files()
first = kit(files)
assert kit(dict(files)) == first
(first / "kit/run.py").unlink()
second = kit(files)
assert second != first and (second / "kit/run.py").read_bytes() == files["kit/run.py"]
third = kit(files | {"kit/run.py": b"other"})
assert third not in (first, second) and (third / "kit/run.py").read_bytes() == b"other" and second.is_dir()
shown = {path.name for path in (third / "solution").iterdir()}
assert {"main.py", "serve.py", "place.py"} <= shown and not {"run.py", "frames.py", "hidden.py", "memory.py"} & shown
pid = os.fork()
if not pid:
    assert kit(files) not in (first, second, third)
    raise SystemExit
assert os.waitpid(pid, 0)[1] == 0 and third.is_dir()
"""


def test_a_kit_is_made_once_a_process_and_goes_with_it(temp):
    env = os.environ | {"TMPDIR": str(temp), "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run([sys.executable, "-c", KITS], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, list(temp.iterdir())) == (0, "", [])
