"""Effects are counted on the tree: an edit done twice shows, an edit not done shows, nobody's word is asked."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.faultbench.benching import tasks_of
from denominator.faultbench.subjects.effects import count_lines, is_solved, make_effect, why_not
from denominator.faultbench.subjects.foreign import checkpoints_in, count_effects, redrafts_in, state_of
from denominator.packs import load_pack
from denominator.records.packs import FoundPack, Task
from denominator.records.values import NotMeasured
from denominator.wire.trees import apply_unified, copy_tree

FOUR = Path(__file__).parents[2] / "data" / "packs" / "four"


@pytest.fixture(scope="module")
def four() -> FoundPack:
    return load_pack(FOUR)


def task(found: FoundPack, name: str) -> Task:
    return next(one for one in found.pack.tasks if one.id == name)


def solve(agent: Path, name: str, work: Path) -> None:
    """The agent's script, with the sandbox's places put where they lie here."""
    script = (
        (agent / "solve.sh").read_text().replace(f"/opt/agent/tasks/{name}", str(agent)).replace("/work", str(work))
    )
    subprocess.run(["sh", "-c", script], check=True)


@pytest.mark.parametrize("name", ["clamp-low", "count-words", "double-it"])
def test_each_application_adds_one_and_only_once_is_right(four: FoundPack, tmp_path: Path, name: str) -> None:
    effect = make_effect(four, task(four, name), tmp_path / "agent")
    work = tmp_path / "w"
    copy_tree(FOUR / "tasks" / name / "repo", work)
    assert (count_lines(work, effect.line), is_solved(work, effect)) == (0, False)
    for times in (1, 2, 3):
        solve(tmp_path / "agent", name, work)
        assert (count_lines(work, effect.line), is_solved(work, effect)) == (times, times == 1)


def test_the_effect_holds_the_reference_patch(four: FoundPack, tmp_path: Path) -> None:
    effect = make_effect(four, task(four, "clamp-low"), tmp_path / "agent")
    gold = tmp_path / "gold"
    copy_tree(FOUR / "tasks" / "clamp-low" / "repo", gold)
    apply_unified(gold, (FOUR / "tasks" / "clamp-low" / "gold.patch").read_bytes())
    assert effect.files["bounds.py"] == (gold / "bounds.py").read_bytes() + effect.line.encode() + b"\n"


def test_tasks_that_cannot_show_a_survival_are_refused_by_name(four: FoundPack) -> None:
    assert "keep-sorted" not in tasks_of(four, ())
    with pytest.raises(InputError) as caught:
        tasks_of(four, ("keep-sorted", "nowhere", "clamp-low"))
    assert [problem.where for problem in caught.value.problems] == ["nowhere", "keep-sorted"]
    assert why_not(four, task(four, "clamp-low")) == ""


def test_lines_of_an_artifact_are_counted_and_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "ledger").write_text("effect a\nother\neffect a\n")
    assert count_effects(tmp_path, "ledger", "effect a", 1) == 2
    assert count_effects(tmp_path, "ledger", "", 3) == 1
    assert count_effects(tmp_path, "ledger", "effect a", 3) == 1
    assert count_effects(tmp_path, "missing", "", 1) == 0
    (tmp_path / "link").symlink_to("/etc/passwd")
    assert isinstance(count_effects(tmp_path, "link", "", 1), NotMeasured)


def test_a_journal_of_a_command_tells_its_checkpoints_and_what_was_drafted_anew(tmp_path: Path) -> None:
    rows = [
        '{"task_id": "a", "attempt": 1, "checkpoint": "patch_drafted", "payload_digest": "d1"}',
        '{"task_id": "a", "attempt": 1, "checkpoint": "patch_drafted", "payload_digest": "d2"}',
        '{"task_id": "a", "attempt": 1, "checkpoint": "patch_applied", "payload_digest": "d2"}',
        '{"task_id": "a", "attempt": 2, "checkpoint": "patch_drafted", "payload_digest": "d3"}',
        '{"task_id": "b", "attempt": 1, "checkpoint": "tests_run", "payload_digest": "d4"}',
    ]
    (tmp_path / "j").write_text("\n".join(rows) + "\n")
    assert checkpoints_in(tmp_path, "j", "a") == ("patch_drafted", "patch_applied")
    assert redrafts_in(tmp_path, "j", "a") == 1
    assert isinstance(redrafts_in(tmp_path, "", "a"), NotMeasured)
    (tmp_path / "j").write_text("no json\n")
    assert isinstance(checkpoints_in(tmp_path, "j", "a"), NotMeasured)


def test_the_state_of_a_workspace_leaves_out_the_journal_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    before = state_of(tmp_path, "journal.db")
    for name in ("journal.db", "journal.db-wal"):
        (tmp_path / name).write_text("x")
    assert state_of(tmp_path, "journal.db") == before != state_of(tmp_path, "")
    shutil.copy(tmp_path / "a", tmp_path / "b")
    assert state_of(tmp_path, "journal.db") != before


def test_a_file_whose_name_begins_like_the_journal_is_part_of_the_state(tmp_path: Path) -> None:
    (tmp_path / "ledger").write_text("the journal")
    (tmp_path / "ledger.txt").write_text("the artifact")
    before = state_of(tmp_path, "ledger")
    (tmp_path / "ledger.txt").write_text("edited by a person")
    assert state_of(tmp_path, "ledger") != before
