"""`spread` and `plan --from` on runs of our own: eight tasks, two repeats, arms in one window."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e import runs

pytestmark = [
    pytest.mark.slow,
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


HALF = "clamp-[4-8]/11"
ARMS = {
    "all": SOLVE,
    "none": BREAK,
    "most": on({HALF: BREAK}, SOLVE),
    "fewer": on({"clamp-[1-3]/*": BREAK, HALF: BREAK}, SOLVE),
    "halved": on({HALF: BREAK, "clamp-[1-3]/22": BREAK}, SOLVE),
}
# two arms -> the line of the table, which arm is named
LINES = {
    ("all", "none"): ("ahead_on_w_of_l", "all"),
    ("none", "all"): ("ahead_on_w_of_l", "all"),
    ("most", "fewer"): ("concentrated_in_few_tasks", "most"),
    ("all", "all-again"): ("pack_saturated", ""),
    ("halved", "most"): ("no_detectable_difference", ""),
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
    for label, script in {**ARMS, "all-again": SOLVE}.items():
        text = runs.envelope([agent(label, script)], budget={"repeats": 2}, run={"seeds": [11, 22]})
        (folder / f"{label}.toml").write_text(text.replace('treatment = ["agent"]', 'treatment = ["agent_id"]'))
    names = [f"{label}.toml" for label in (*ARMS, "all-again")]
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
    assert given["flip"]["value"] == "0.500000", "five of eight tasks flipped; no flip rate is above one half"
    assert "w-most" in given["flip"]["by"] or "most" in given["flip"]["by"]
    assert given["tokens_per_attempt"]["value"] == "0", "agents that call no model cost none"
    both = runs.cli(folder, "plan", "--difference", "0.2", "--from", "w-most", "--from", "w-fewer", "--json")
    given = {one["name"]: one for one in both.json["plan"]["given"]}
    assert float(given["omega2"]["value"]) == 0.017857
    assert float(given["discordant"]["value"]) == 0.6875
