"""A run of ours says which surfaces a patch uses, against the snapshot, the frozen specification and declared packages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from denominator.pipeline.results import judge_run
from denominator.records.facts import SurfaceFacts
from denominator.records.judgements import JudgedDraw
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured
from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("run-surfaces"),
]
TASK = "clamp-low"
SPEC = '{"paths": ["/v1/bounds/{id}"], "symbols": ["BoundsClient"]}\n'
SOLVE = runs.SOLVE[TASK]
SCENES = {
    "plain": SOLVE,
    "untouched": "true",
    "invented": SOLVE + "; printf '\\n\\ndef more(client):\\n    import math\\n    client.get(\"/v2/ranges\")\\n"
    "    client.get(f\"/v1/bounds/{math.tau}\")\\n    return math.clamp(1)\\n' >> bounds.py",
    "undeclared": SOLVE + "; sed -i '1i import yaml, numpy' bounds.py",
    "other_language": "echo 'x = frobnicate()' > extra.rb",
    "unreadable": SOLVE + "; echo 'def broken(' > second.py",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which run `s` has played every scene."""
    folder = tmp_path_factory.mktemp("surfaces")
    root = runs.make_pack(folder, TASK)
    task = root / "tasks" / TASK
    (task / "spec").mkdir()
    (task / "spec" / "bounds.json").write_text(SPEC)
    runs.edit(task / "task.toml", "multi_file = false", 'multi_file = false\npackages = ["PyYAML:yaml"]')
    runs.lock(root)
    scripts = folder / "scenes"
    scripts.mkdir()
    for number, script in enumerate(SCENES.values(), start=1):
        (scripts / f"{number}.sh").write_text(script + "\n")
    arm = {
        "label": "scenes", "agent": "command", "command": ["sh", "-c", ". /opt/scenes/${DENOMINATOR_SEED}.sh"],
        "mounts": [f"{scripts}=/opt/scenes"],
    }  # fmt: skip
    seeds = list(range(1, len(SCENES) + 1))
    (folder / "envelope.toml").write_text(runs.envelope([arm], budget={"repeats": len(seeds)}, run={"seeds": seeds}))
    done = runs.cli(folder, "run", "envelope.toml", "--run-id", "s")
    assert len(runs.rows_of(folder, "s")) == len(SCENES), done.err
    return folder


@pytest.fixture(scope="module")
def rows(folder: Path) -> dict[str, AttemptRow]:
    found = runs.rows_of(folder, "s")
    return {scene: found[TASK, number, 1] for number, scene in enumerate(SCENES, start=1)}


@pytest.fixture(scope="module")
def judged(folder: Path) -> dict[str, JudgedDraw]:
    draws = {draw.draw.repeat: draw for draw in judge_run(runs.opened(folder, "s")).judged.sheet.draws}
    return {scene: draws[number] for number, scene in enumerate(SCENES, start=1)}


def facts(row: AttemptRow) -> SurfaceFacts:
    assert not isinstance(row.surfaces, NotMeasured), row.surfaces
    return row.surfaces


def test_a_plain_solution_invents_nothing(rows: dict[str, AttemptRow]) -> None:
    assert rows["plain"].grade == "green"
    assert (facts(rows["plain"]).source, facts(rows["plain"]).invented, facts(rows["plain"]).unchecked) == (
        "patch",
        (),
        (),
    )
    assert facts(rows["plain"]).used > 0
    assert facts(rows["untouched"]) == SurfaceFacts(source="patch", used=0)


def test_a_green_solution_that_invents_is_found_out(rows: dict[str, AttemptRow]) -> None:
    row = rows["invented"]
    assert row.grade == "green"
    assert [text.partition(" (")[0] for text in facts(row).invented] == ["route GET /v2/ranges", "attribute math.clamp"]
    assert facts(row).invented[1] == "attribute math.clamp (bounds.py:9, not in math)"


def test_a_green_solution_that_invents_is_no_pass(judged: dict[str, JudgedDraw]) -> None:
    draw = judged["invented"]
    assert (draw.exit, draw.origin, draw.mix) == ("fail", "MODEL", "ASSUME_API") and "scorer_green" in draw.tags
    assert (judged["plain"].exit, judged["plain"].mix) == ("pass", "PASS_CONTRACT")


def test_a_package_that_the_task_does_not_allow_is_invented(rows: dict[str, AttemptRow]) -> None:
    assert [text.partition(" (")[0] for text in facts(rows["undeclared"]).invented] == ["import numpy"]


def test_what_cannot_be_judged_is_said_and_is_no_clean_bill(rows: dict[str, AttemptRow]) -> None:
    assert rows["other_language"].surfaces == NotMeasured(
        "no file of the patch could be judged: extra.rb: another language: rb"
    )
    found = facts(rows["unreadable"])
    assert (found.invented, found.unchecked) == ((), ("second.py: parse error (grammar of Python 3.11)",))
