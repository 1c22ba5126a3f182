"""Where there is no Linux everything but running works, and running says so in one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import denominator

SCRIPT = Path(__file__).with_name("without_linux.py")
EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "vanishing"
READING = {
    ("--help",): 0,
    ("pack", "lint", "holdout16"): 0,
    ("pack", "show", "holdout16"): 0,
    ("pack", "hash", "holdout16"): 0,
    ("pack", "init", "mine"): 0,
    ("explain", "GL014"): 0,
    ("schema", "envelope"): 0,
    ("import", "rows", str(EXAMPLE), "--brief"): 1,
    ("import", "rows", str(EXAMPLE), "--out", "kept"): 1,
    ("gate", "kept"): 1,
    ("card", "kept"): 1,
    ("envelope", "init", "--agent", "oracle", "O.toml"): 0,
    ("envelope", "init"): 0,
    ("runs", "ls"): 0,
    ("status",): 2,
    ("show", "page-count"): 2,
}
RUNNING = [["demo", "-q"], ["run", "O.toml"], ["run", "--no-sandbox", "O.toml"], ["seal", "O.toml"], ["pack", "lock"]]


def ends(what, verbs, cwd):
    done = subprocess.run(
        [sys.executable, str(SCRIPT), what, json.dumps(verbs)],
        cwd=cwd,
        env={"PYTHONPATH": str(Path(denominator.__file__).parents[1]), "HOME": str(cwd), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_reading_needs_no_linux(tmp_path):
    found = ends("reading", [list(verb) for verb in READING], tmp_path)
    assert {verb: end[0] for verb, end in zip(READING, found, strict=True)} == READING
    assert not any("Traceback" in end[2] or "E008" in end[2] for end in found)


def test_running_says_that_it_needs_linux(tmp_path):
    first, *found = ends("all", [["envelope", "init", "--agent", "oracle", "O.toml"], *RUNNING], tmp_path)
    assert first[0] == 0
    for verb, (code, _, said) in zip(RUNNING, found, strict=True):
        assert code == 2 and "Linux only, and this is darwin [E005]" in said, verb
    assert not (tmp_path / "runs").exists() or list((tmp_path / "runs").iterdir()) == []


def test_doctor_says_what_works_here(tmp_path):
    ((code, out, _),) = ends("all", [["doctor"]], tmp_path)
    assert code == 2
    assert "  run, resume, demo, pack lock, shell: do not work: " in out and "this is darwin" in " ".join(out.split())


@pytest.mark.parametrize("word", ["linux", "darwin"])
def test_the_world_is_built_on_linux_only(word, monkeypatch):
    from denominator.errors import MachineError
    from denominator.wiring.world import require_linux

    monkeypatch.setattr(sys, "platform", word)
    if word == "linux":
        require_linux()
    else:
        with pytest.raises(MachineError, match="on Linux only, and this is darwin"):
            require_linux()
