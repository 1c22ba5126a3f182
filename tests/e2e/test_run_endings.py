"""Every way in which an attempt may end, in one real run: one task, one scene a repeat."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from denominator.pipeline.results import Result, judge_run
from denominator.pipeline.world import OpenRun
from denominator.records.judgements import JudgedDraw
from denominator.records.rows import AttemptRow
from denominator.wire.codec import from_json, loads
from e2e import runs
from e2e.scenes import SCENES, write_scenes

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("run-endings"),
]
ROOT = os.geteuid() == 0
TASK = "clamp-low"
SLIP = "over_edit"

# scene -> exit, failure class, stop reason, killed by, tags that must be there
ENDS: dict[str, tuple[str, str, str, str, set[str]]] = {
    "pass": ("pass", "pass", "pass", "nobody", set()),
    "tests_red": ("fail", "test_fail", "tests_red", "nobody", set()),
    "silent": ("abstain", "no_patch", "no_patch", "nobody", {"silent"}),
    "asked": ("abstain", "no_patch", "no_patch", "nobody", {"asked"}),
    "abstained": ("abstain", "no_patch", "no_patch", "nobody", {"asked"}),
    **{
        scene: ("fail", SLIP, "forbidden_path", "nobody", {"scope_slip", "scorer_green"})
        for scene in ("new_file", "forbidden", "delete", "rename", "symlink", "chmod", "undeletable", "deep", "names")
    },
    "allowed_chmod": ("pass", "pass", "pass", "nobody", set()),
    "swapped": ("fail", "test_fail", "tests_red", "nobody", set()),
    "timeout": ("fail", "timeout", "timeout", "budget_wall", {"after_cap"}),
    "oom_main": ("unscoreable", "censored", "infra", "kernel_oom", set()),
    "oom_child": ("pass", "pass", "pass", "nobody", {"oom_in_tool"}),
    "oom_grading": ("fail", "test_fail", "tests_red", "nobody", set()),
    "disk": ("pass", "pass", "pass", "nobody", set()),
    "flood": ("fail", "timeout", "budget", "budget_output", {"after_cap"}),
    "much_output": ("pass", "pass", "pass", "nobody", set()),
    "fork_bomb": ("pass", "pass", "pass", "nobody", set()),
    "error_exit": ("pass", "pass", "pass", "nobody", {"agent_error_exit"}),
    "daemon": ("pass", "pass", "pass", "nobody", set()),
    "hard_link": ("fail", "test_fail", "tests_red", "nobody", set()),
    "sparse": ("pass", "pass", "pass", "nobody", set()),
    "git": ("fail", "over_edit", "pass", "nobody", {"tampered_startup"}),
    "look": ("pass", "pass", "pass", "nobody", set()),
    "shut_root": ("pass", "pass", "pass", "nobody", set()),
    "litter": ("pass", "pass", "pass", "nobody", set()),
    "boast": ("pass", "pass", "pass", "nobody", set()),
    "exit_127": ("fail", "no_patch", "no_patch", "nobody", {"agent_error_exit"}),
}
# Without root nothing has a size of its own and memory may have no control group: what is enforced is another thing.
AS_USER = {"oom_main", "oom_child", "disk"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which run `all` has played every scene."""
    folder = tmp_path_factory.mktemp("endings")
    runs.make_pack(folder, TASK)
    names = write_scenes(folder / "scenes")
    arm = {
        "label": "scenes", "agent": "command", "command": ["sh", "-c", ". /opt/scenes/${DENOMINATOR_SEED:-0}.sh"],
        "mounts": [f"{folder}/scenes=/opt/scenes"],
    }  # fmt: skip
    text = runs.envelope(
        [arm],
        budget={"wall_s": 4, "working_s": 4, "repeats": len(names)},
        run={"seeds": list(range(1, len(names) + 1)), "warmup_tasks": 1},
    )
    (folder / "envelope.toml").write_text(text)
    done = runs.cli(folder, "run", "envelope.toml", "--run-id", "all", "--json")
    assert done.code == 1, done.err
    (folder / "said.json").write_text(done.out)
    (folder / "said.txt").write_text(done.err)
    return folder


@pytest.fixture(scope="module")
def run(folder: Path) -> OpenRun:
    return runs.opened(folder, "all")


@pytest.fixture(scope="module")
def result(run: OpenRun) -> Result:
    return judge_run(run)


@pytest.fixture(scope="module")
def draws(result: Result) -> dict[str, JudgedDraw]:
    by_repeat = {draw.draw.repeat: draw for draw in result.judged.sheet.draws}
    return {scene: by_repeat[number] for number, scene in enumerate(SCENES, start=1)}


def row(draws: dict[str, JudgedDraw], scene: str) -> AttemptRow:
    found = draws[scene].row
    assert found is not None
    return found


def text(run: OpenRun, scene: str, stream: str = "stdout") -> str:
    return runs.texts(run, stream)[TASK, list(SCENES).index(scene) + 1]


def test_every_scene_has_an_ending_here() -> None:
    assert ENDS.keys() == SCENES.keys()


@pytest.mark.parametrize("scene", ENDS)
def test_ending(draws: dict[str, JudgedDraw], scene: str) -> None:
    if not ROOT and scene in AS_USER:
        pytest.skip("depends on control groups and on a disk of its own")
    found, one = draws[scene], row(draws, scene)
    ended = (found.exit, found.failure_class, one.stop_reason, one.killed_by, ENDS[scene][4] & set(found.tags))
    assert ended == ENDS[scene]
    assert one.closed
    assert found.origin == ("INFRA" if scene == "oom_main" else "MODEL")
    assert found.reason == ("oom_sandbox" if scene == "oom_main" else "")


def test_the_equation_balances_and_nothing_is_dropped(result: Result) -> None:
    counts = result.card.equation
    assert isinstance(counts, dict)
    assert sum(counts.values()) == result.card.declared == len(SCENES)
    assert counts["never_started"] == 0
    assert result.judged.defects == ()


def test_what_slipped_is_named_and_never_graded(draws: dict[str, JudgedDraw]) -> None:
    touched = {
        scene: set(row(draws, scene).patch.touched) - {"bounds.py"}
        for scene in ENDS
        if draws[scene].failure_class == SLIP
    }  # type: ignore[union-attr]
    assert touched["rename"] == {"README.md", "OTHER.md"}
    assert touched["symlink"] == {"link"}
    assert {"pipe", "sock"} < touched["undeletable"]
    assert "dev" not in touched["undeletable"], "a device node was made"
    assert {"new\\x0aline.py", "esc\\x1b[2J.py", "not-\\xff-utf8.py", "l" * 252 + ".py"} < touched["names"]
    passed = row(draws, "pass")
    for scene in ("new_file", "delete", "rename", "symlink", "chmod"):
        assert row(draws, scene).patch.applied_tree == passed.patch.applied_tree  # type: ignore[union-attr]
        assert row(draws, scene).patch.outside  # type: ignore[union-attr]


def test_what_a_killed_agent_left_is_still_recorded(draws: dict[str, JudgedDraw]) -> None:
    late = row(draws, "timeout")
    assert late.patch.touched == ("bounds.py",)  # type: ignore[union-attr]
    assert (late.grade, late.after_cap) == ("none", True)
    assert isinstance(late.agent_ms, int) and 4000 <= late.agent_ms < 30_000
    assert row(draws, "oom_grading").verify_signal == 0 or row(draws, "oom_grading").grade == "red"


def test_output_is_cut_at_its_cap_and_says_so(run: OpenRun) -> None:
    ended = {e.key.repeat: e.payload for e in run.journal.events() if e.kind == "agent.ended" and e.key}
    for scene in ("much_output", "flood"):
        number = list(SCENES).index(scene) + 1
        assert ended[number]["truncated"] is True
        assert len(text(run, scene)) == 1_000_000


@pytest.mark.skipif(not ROOT, reason="only root gives workspaces a disk of their own")
def test_a_full_workspace_is_the_agents_own_trouble(run: OpenRun) -> None:
    assert "FULL" in text(run, "disk")


def test_an_agent_sees_its_task_and_nothing_of_the_bench(run: OpenRun, folder: Path) -> None:
    seen = text(run, "look")
    parts = dict(zip(("ENV", "CMDLINE", "MOUNTS", "FDS", "FILES", "TEXTS", "STATUS"), _parts(seen), strict=True))
    assert "/in/prompt.md" in parts["FILES"] and "/work/bounds.py" in parts["FILES"], "it did look"
    for hidden in ("hidden", "gold", "test_bounds", "pack.toml", "task.toml", "journal", "seal.json", "script.toml"):
        assert hidden not in seen
    for secret in ("harness-secret-7f3a", "SECRET_API_KEY", "test_wrong_value", "expected_tests"):
        assert secret not in seen
    # An agent's own mount may show where it lies; a run, a pack, an attempt's number must not.
    mounts = parts["MOUNTS"] if ROOT else ""
    for part in (parts["ENV"], parts["CMDLINE"], parts["FILES"], mounts, parts["TEXTS"]):
        left = part.replace(f"{folder}/scenes", "")
        assert str(folder) not in left and "/runs/" not in left and "clamp-low." not in left
    names = {line.partition("=")[0] for line in parts["ENV"].splitlines() if "=" in line}
    assert names <= {
        "HOME", "LANG", "PATH", "PWD", "OLDPWD", "SHLVL", "TMPDIR", "_", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE",
        "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_CONFIG_NOSYSTEM",
        *(f"DENOMINATOR_{name}" for name in ("TASK_ID", "PROMPT", "WORK", "IN", "OUT", "ASK", "ABSTAIN", "TOOLS", "MODEL", "SEED")),
    }  # fmt: skip
    assert not [line for line in parts["FDS"].splitlines() if "/proc" not in line and " 3 -> " in line], (
        "the report pipe"
    )


def _parts(seen: str) -> list[str]:
    rest, parts = seen, []
    for name in ("ENV", "CMDLINE", "MOUNTS", "FDS", "FILES", "TEXTS", "STATUS"):
        before, _, rest = rest.partition(f"{name}\n")
        parts.append(before)
    return [*parts[1:], rest]


def test_the_repository_has_one_commit_and_its_traps_are_never_sprung(
    run: OpenRun, draws: dict[str, JudgedDraw]
) -> None:
    assert text(run, "git").splitlines() == ["COMMITS 1", "REMOTES 0", "STATUS 0", "LOGGED"]
    assert row(draws, "git").patch.touched == ("bounds.py",)  # type: ignore[union-attr]


def test_nothing_of_an_attempt_is_left_on_disk(run: OpenRun) -> None:
    assert not run.folder.work.exists()
    assert run.journal.verify() == []


def test_warm_up_ends_before_anything_is_measured_and_is_in_no_row(run: OpenRun, result: Result) -> None:
    order = [(e.kind, e.key.repeat) for e in run.journal.events() if e.kind in ("started", "closed") and e.key]
    assert order[:2] == [("started", 0), ("closed", 0)]
    assert [repeat for _, repeat in order].count(0) == 2
    assert {one.key.repeat for one in result.ledger.rows} == set(range(1, len(SCENES) + 1))


def test_attempts_overlap_and_their_waiting_is_measured(run: OpenRun, result: Result) -> None:
    events = [e for e in run.journal.events() if e.key]
    begun = {e.key: e.t_mono_ns for e in events if e.kind == "started"}
    ended = {e.key: e.t_mono_ns for e in events if e.kind == "closed"}
    at_once = [sum(begun[a] < begun[b] < ended[a] for a in begun) for b in begun]
    assert max(at_once) == 1, "two slots: at most one other attempt is under way when one begins"
    assert at_once.count(1) > len(SCENES) // 2
    slots = Counter(e.payload["slot"] for e in events if e.kind == "started")
    assert set(slots) == {0, 1} and min(slots.values()) > 3
    cold = [e.payload["cold_start"] for e in events if e.kind == "started"]
    assert cold.count(True) == 2
    waits = [one.queue_wait_ms for one in result.ledger.rows]
    assert all(isinstance(wait, int) for wait in waits)
    assert max(w for w in waits if isinstance(w, int)) > 1000


def test_files_of_the_run(run: OpenRun, result: Result, folder: Path) -> None:
    lines = run.folder.ledger.read_bytes().splitlines()
    assert tuple(from_json(AttemptRow, loads(line)) for line in lines) == result.ledger.rows
    assert run.folder.calls.read_bytes() == b""
    log = [json.loads(line) for line in run.folder.log.read_text().splitlines()]
    assert all(set(line) == {"t", "level", "text"} and line["level"] == "info" for line in log)
    assert len(log) == len(SCENES) + 1
    said = run.folder.log.read_text()
    assert "harness-secret" not in said and "%" not in said
    assert "rate" not in said


def test_resuming_a_finished_run_changes_no_file(folder: Path, run: OpenRun) -> None:
    files = [p for p in run.folder.root.rglob("*") if p.is_file() and not p.name.startswith("journal")]
    before = {path: path.read_bytes() for path in files}
    assert runs.cli(folder, "resume", "all").code == 1
    assert {path: path.read_bytes() for path in files} == before
