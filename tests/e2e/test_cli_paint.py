"""Every page at a pseudo terminal: its own paint is obeyed, the control codes of foreign text are shown."""

from __future__ import annotations

import pytest

from e2e.cli_lab import ANSI, terminal
from e2e.comparing import manifest, rows

FOREIGN = "a\x1b[31mb\x07"
MARKS = {f"t{number:02}": "P" for number in range(9)}


@pytest.fixture
def arms(tmp_path):
    """Two arms over the same tasks, of an agent whose name would steer a terminal."""
    for name, marks in (("a", MARKS), ("b", dict.fromkeys(MARKS, "F"))):
        rows(tmp_path, name, marks)
        manifest(tmp_path, name, task_ids=sorted(MARKS), repeats=1, agent_id=FOREIGN)
    return tmp_path


def files(name):
    return f"{name}.jsonl", f"manifest-{name}.json"


def sides():
    return [word for name in "ab" for file in files(name) for word in (f"--{name}", file)]


def at(folder, *args, painted=True):
    """What a verb shows at a terminal: no code of ours as text, no code of the rows obeyed."""
    said = terminal(folder, *args).err
    assert (ANSI in said) is painted, said
    assert "x1b[" not in said and "u001b[0m" not in said and "u001b[1m" not in said, said
    assert f"a{ANSI}31mb" not in said and "\x07" not in said, said
    return said


def test_two_arms(arms):
    assert "a\\u001b[31mb\\u0007" in at(arms, "compare", *sides(), "-v")
    at(arms, "spread", *sides())
    at(arms, "replay", *sides(), painted=False)


def test_an_import(arms):
    terminal(arms, "import", "rows", *files("a"), "-o", "kept")
    at(arms, "labels", "kept", painted=False)
    at(arms, "labels", "kept", "--why", "t00")
    at(arms, "gate", "kept", "-v", painted=False)
    at(arms, "gate", "kept", "--cite")
    at(arms, "card", "kept")


def test_pages_of_the_program(arms):
    at(arms, "explain", "M8", painted=False)
    at(arms, "doctor")


@pytest.mark.needs_bwrap
def test_look_at_two_runs_of_ours(lab):
    assert "finished" in at(lab, "look", "window-script", "window-oracle", painted=False)
