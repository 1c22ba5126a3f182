"""`spread` and `plan --from` on runs of our own: eight tasks, two repeats, arms in one window."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e import runs

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("run-spread"),
]
TASKS = [f"clamp-{number}" for number in range(1, 9)]
SOLVE = runs.SOLVE["clamp-low"]
BREAK = "echo '# tried' >> bounds.py"


def agent(label: str, script: str) -> dict[str, Any]:
    return {"label": label, "agent": "command", "command": ["sh", "-c", script]}


def on(cases: dict[str, str], other: str) -> str:
    """A script that plays one of two parts by task, or by seed (repeat 1 has seed 11, repeat 2 seed 22)."""
    arms = "".join(f"{pattern}) {part} ;; " for pattern, part in cases.items())
    return f'case "$DENOMINATOR_TASK_ID/$DENOMINATOR_SEED" in {arms}*) {other} ;; esac'


ONCE = "clamp-4/11"
ARMS = {
    "all": SOLVE,
    "halved": on({"clamp-[1-3]/22": BREAK, "clamp-[4-8]/11": BREAK}, SOLVE),
    "halved-too": on({"clamp-[1-3]/11": BREAK, "clamp-[4-8]/22": BREAK}, SOLVE),
    "most": on({ONCE: BREAK}, SOLVE),
    "fewer": on({"clamp-[1-3]/*": BREAK, ONCE: BREAK}, SOLVE),
}
# two arms -> the line of the table, which arm is named
LINES = {
    ("all", "halved"): ("ahead_on_w_of_l", "all"),
    ("halved", "all"): ("ahead_on_w_of_l", "all"),
    ("most", "fewer"): ("concentrated_in_few_tasks", "most"),
    ("all", "most"): ("pack_saturated", ""),
    ("halved", "halved-too"): ("no_detectable_difference", ""),
}


def make_pack(folder: Path) -> None:
    """One task eight times under names and families of their own."""
    root = runs.make_pack(folder, "clamp-low")
    for name in TASKS:
        shutil.copytree(root / "tasks" / "clamp-low", root / "tasks" / name)
        runs.edit(root / "tasks" / name / "task.toml", 'id = "clamp-low"', f'id = "{name}"')
        runs.edit(root / "tasks" / name / "task.toml", 'family = "bounds"', f'family = "{name}"')
    shutil.rmtree(root / "tasks" / "clamp-low")
    runs.lock(root)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every arm has run."""
    folder = tmp_path_factory.mktemp("spread")
    make_pack(folder)
    for label, script in ARMS.items():
        text = runs.envelope([agent(label, script)], budget={"repeats": 2}, run={"seeds": [11, 22]})
        (folder / f"{label}.toml").write_text(text.replace('treatment = ["agent"]', 'treatment = ["agent_id"]'))
    names = [f"{label}.toml" for label in ARMS]
    done = runs.cli(folder, "run", "--arms", *names, "--run-id", "w")
    assert done.code in (0, 1), done.err
    return folder


@pytest.mark.parametrize(("a", "b"), LINES)
def test_every_line_of_the_table(a: str, b: str, folder: Path) -> None:
    said = runs.cli(folder, "spread", f"w-{a}", f"w-{b}", "--json").json
    word, ahead = LINES[a, b]
    assert said["spread"]["report"] == word, said["spread"]["sentence"]
    assert said["spread"]["pair"]["ahead"] == ahead
    assert said["exit"] == 0


def test_one_arm(folder: Path) -> None:
    done = runs.cli(folder, "spread", "w-halved", "--json")
    arm = done.json["spread"]["arms"][0]
    assert (arm["passes"], arm["draws"], arm["repeats"]) == (8, 16, 2)
    assert arm["flip"]["value"] == "1.000000"
    assert "poorly known" in arm["caveat"]
    assert "no test of these tasks was seen to flip" in arm["baseline"]
    assert arm["notes"]["attempts"] == 16 and arm["notes"]["clipped"] == 0
    text = runs.cli(folder, "spread", "w-halved").out
    assert "cold starts: not stated" not in text
    assert "budget_tokens_per_task" in text


def test_a_run_tells_a_plan_its_flip_rate(folder: Path) -> None:
    done = runs.cli(folder, "plan", "--difference", "0.2", "--from", "w-most", "--json")
    given = {one["name"]: one for one in done.json["plan"]["given"]}
    assert given["flip"]["value"] == "0.125000"
    assert "most" in given["flip"]["by"]
    assert given["tokens_per_attempt"]["value"] == "0", "agents that call no model cost none"
    always = runs.cli(folder, "plan", "--difference", "0.2", "--from", "w-halved", "--json")
    given = {one["name"]: one for one in always.json["plan"]["given"]}
    assert given["flip"]["value"] == "0.500000", "every task flipped, and no true flip rate is above one half"
    both = runs.cli(folder, "plan", "--difference", "0.2", "--from", "w-most", "--from", "w-fewer", "--json")
    given = {one["name"]: one for one in both.json["plan"]["given"]}
    assert given["omega2"]["value"] == "0.205357", "3 of 8 differ fully, 15/56, less (1/8 + 1/8)/2/2"
    assert given["discordant"]["value"] == "0.437500"


def test_a_test_that_flips_with_the_agent_off_is_refused(tmp_path: Path) -> None:
    """Its outcome is a coin, so that ten gradings without an agent agree once in 500 times; then the test says nothing."""
    root = runs.make_pack(tmp_path, "clamp-low")
    hidden = root / "tasks" / "clamp-low" / "hidden" / "test_bounds_values.py"
    hidden.write_text(hidden.read_text().replace("import unittest", "import os\nimport unittest", 1))
    lines = hidden.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if "def test_case_0" in line)
    lines.insert(at + 1, "        self.assertLess(os.urandom(1)[0], 128)")
    hidden.write_text("\n".join(lines) + "\n")
    runs.lock(root)
    (tmp_path / "envelope.toml").write_text(
        runs.envelope([agent("a", SOLVE)], budget={"repeats": 2}, run={"seeds": [11, 22], "baseline_repeats": 10})
    )
    done = runs.cli(tmp_path, "run", "envelope.toml", "--run-id", "coin")
    assert done.code in (0, 1), done.err
    said = runs.cli(tmp_path, "spread", "coin", "--json")
    if not said.json["spread"]["arms"][0]["flaky"]:
        pytest.skip("the coin fell on one side ten times")
    assert said.code == 1
    assert said.json["spread"]["report"] == "not_screenable"
    assert "flaky baseline: with the agent off both results were seen of clamp-low" in said.json["spread"]["sentence"]
    assert said.json["spread"]["arms"][0]["per_task"] == []
