"""An agent, and a solution, that print every phrase which ever ended a run: no label of a real run moves."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from e2e import runs
from judging_phrases import EVENTS_IN_DISGUISE, PHRASES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASKS = ("double-it", "clamp-low")
SOLVES, WRONG = "sed -i 's/return n$/return n + n/' twice.py", "sed -i 's/return n$/return n - n/' twice.py"
SHOUT = "cat /opt/agent/noise.txt; cat /opt/agent/noise.txt >&2"
IN_CODE = "{ echo 'import sys'; sed 's/^/sys.stdout.write(/; s/$/)/' /opt/agent/noise.repr; } >> twice.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("noise")
    runs.make_pack(folder, *TASKS)
    (folder / "agent").mkdir(mode=0o755)
    said = [*PHRASES, *EVENTS_IN_DISGUISE]
    (folder / "agent" / "noise.txt").write_text("\n".join(said) + "\n")
    (folder / "agent" / "noise.repr").write_text("".join(f"{(one + chr(10))!r}\n" for one in said))
    arms = [
        {
            "label": label, "agent": "command", "command": ["/bin/sh", "-c", f"[ -e twice.py ] || exit 0; {command}"],
            "mounts": [f"{folder}/agent=/opt/agent"],
        }
        for label, command in {
            "solves": SOLVES, "solves-loud": f"{SHOUT}; {SOLVES}; {IN_CODE}", "wrong": WRONG,
            "wrong-loud": f"{SHOUT}; {WRONG}; {IN_CODE}",
        }.items()
    ]  # fmt: skip
    (folder / "envelope.toml").write_text(runs.envelope(arms))
    done = runs.cli(folder, "run", "envelope.toml", "--run-id", "n", "--json")
    assert done.code in (0, 1), done.err
    return folder


def labels(folder: Path, arm: str) -> list[tuple[str, str, str]]:
    rows = json.loads(runs.cli(folder, "labels", f"n-{arm}", "--json").out)["rows"]
    return sorted((row["task_id"], one["axis"], one["value"]) for row in rows for one in row["labels"])


@pytest.mark.parametrize("arm", ["solves", "wrong"])
def test_a_loud_agent_is_labelled_as_a_quiet_one(folder: Path, arm: str) -> None:
    quiet = labels(folder, arm)
    assert quiet == labels(folder, f"{arm}-loud")
    outcome = {task: value for task, axis, value in quiet if axis == "outcome"}
    assert outcome == {"double-it": "pass" if arm == "solves" else "fail", "clamp-low": "abstain"}


def test_it_was_really_said(folder: Path) -> None:
    run = runs.opened(folder, "n-solves-loud")
    told = runs.texts(run, "stdout")["double-it", 1] + runs.texts(run, "stderr")["double-it", 1]
    assert all(told.count(phrase) >= 2 for phrase in PHRASES)
