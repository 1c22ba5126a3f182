"""What the sealed policy says about an ending is done: retries, the cap on restarts, what a spent budget means."""

from __future__ import annotations

import json
import shutil
import signal
import time
from pathlib import Path

import pytest

from denominator.pipeline.results import Result, judge_run
from denominator.records.rows import AttemptRow
from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("run-policy"),
]
TASK = "clamp-low"
SOLVE = runs.SOLVE[TASK]
RETRIES = {"budget": {"attempts": 2}, "retry": {"infra": 1}, "run": {"concurrency": 1}}


def shell(label: str, script: str, **more: object) -> dict[str, object]:
    return {"label": label, "agent": "command", "command": ["sh", "-c", script], **more}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("policy")
    runs.make_pack(folder, TASK)
    (folder / "solve.toml").write_text(runs.envelope([shell("solve", SOLVE)], **RETRIES))
    (folder / "once.toml").write_text(runs.envelope([shell("solve", SOLVE)]))
    return folder


def result_of(folder: Path, run_id: str) -> Result:
    return judge_run(runs.opened(folder, run_id))


def only_rows(folder: Path, run_id: str) -> list[AttemptRow]:
    return list(runs.ledger_of(folder, run_id).rows)


def estimate(result: Result, metric: str) -> tuple[object, object]:
    found = next(one for one in result.judged.sheet.estimates if one.metric == metric)
    return found.numerator, found.denominator


@pytest.fixture(scope="module")
def window(folder: Path) -> Path:
    """Four arms in one window; the disk is full when the first of them begins its first attempt."""
    arms = [
        shell("full", SOLVE),
        shell("red", "echo '#' >> bounds.py"),
        {"label": "missing", "agent": "command", "command": ["no-such-agent", "{prompt_file}"]},
        {
            "label": "closed",
            "agent": "command",
            "command": ["/opt/agent/main"],
            "mounts": [f"{folder}/agent=/opt/agent"],
        },
    ]
    (folder / "agent").mkdir()
    (folder / "agent" / "main").write_text("#!/no/such/interpreter\n")
    (folder / "agent" / "main").chmod(0o755)
    (folder / "window.toml").write_text(runs.envelope(arms, **RETRIES))
    done = runs.cli(
        folder, "run", "window.toml", "--run-id", "w", env={"DENOMINATOR_FAILPOINTS": "agent.before=enospc@1"}
    )
    assert done.code == 1, done.err
    return folder


def test_an_ending_that_may_be_rerun_is_retried_as_a_new_attempt_and_the_first_completed_counts(window: Path) -> None:
    first, second = only_rows(window, "w-full")
    assert (first.stop_reason, first.first_unrecovered and first.first_unrecovered.cause) == (
        "harness",
        "injected_fault",
    )
    assert (second.key.attempt, second.cause, second.stop_reason, second.grade) == (2, "retry", "pass", "green")
    result = result_of(window, "w-full")
    (draw,) = result.judged.sheet.draws
    assert (draw.exit, len(draw.tries)) == ("pass", 2)
    assert estimate(result, "retry_rate") == (1, 1)
    assert result.card.equation == {"pass": 1, "fail": 0, "abstain": 0, "unscoreable": 0, "never_started": 0}


def test_a_red_verdict_is_never_retried(window: Path) -> None:
    (row,) = only_rows(window, "w-red")
    assert (row.grade, row.stop_reason) == ("red", "tests_red")
    (draw,) = result_of(window, "w-red").judged.sheet.draws
    assert draw.exit == "fail"


def test_a_sandbox_that_cannot_start_is_the_harnesss_fault_and_retried_up_to_the_cap(folder: Path) -> None:
    """What the arm mounts is there when the run starts and vanishes under it."""
    (folder / "tool").mkdir()
    (folder / "gone.toml").write_text(
        runs.envelope([shell("gone", SOLVE, mounts=[f"{folder}/tool=/opt/tool"])], **RETRIES)
    )
    process = runs.start(
        folder, "run", "gone.toml", "--run-id", "gone", env={"DENOMINATOR_FAILPOINTS": "agent.before=sleep:1500@1"}
    )
    deadline = time.monotonic() + 90
    while not list((folder / "runs" / "gone").glob("work/*/agent")) and time.monotonic() < deadline:
        time.sleep(0.02)
    (folder / "tool").rmdir()
    assert runs.Done(process).code == 1
    rows = only_rows(folder, "gone")
    assert [(row.key.attempt, row.cause, row.stop_reason) for row in rows] == [
        (1, "plan", "harness"),
        (2, "retry", "harness"),
    ]
    assert {row.first_unrecovered.cause for row in rows if row.first_unrecovered} == {"sandbox_start"}
    (draw,) = result_of(folder, "gone").judged.sheet.draws
    assert (draw.exit, draw.origin, draw.reason) == ("unscoreable", "HARNESS", "sandbox_config")


@pytest.mark.parametrize("arm", ["missing", "closed"])
def test_an_agent_that_cannot_begin_is_the_harnesss_fault_and_not_retried(window: Path, arm: str) -> None:
    (row,) = only_rows(window, f"w-{arm}")
    assert row.first_unrecovered is not None
    assert (row.first_unrecovered.cause, row.stop_reason, row.agent_exit) == ("agent_missing", "harness", 127)
    (draw,) = result_of(window, f"w-{arm}").judged.sheet.draws
    assert (draw.exit, draw.origin, draw.reason) == ("unscoreable", "HARNESS", "sandbox_config")


def test_each_run_of_a_window_has_a_log_of_its_own(window: Path) -> None:
    said = [json.loads(line)["text"] for line in (window / "runs" / "w-full" / "run.log").read_text().splitlines()]
    assert said == [f"{TASK} repeat 1 attempt 1: harness", f"{TASK} repeat 1 attempt 2: graded"]


def test_a_retry_that_was_owed_when_the_process_died_is_made_up_for(folder: Path) -> None:
    traps = "agent.before=enospc@1,retry.scheduled.before=kill@1"
    died = runs.cli(folder, "run", "solve.toml", "--run-id", "owed", env={"DENOMINATOR_FAILPOINTS": traps})
    assert died.code == -signal.SIGKILL
    assert [row.key.attempt for row in only_rows(folder, "owed")] == [1]
    assert runs.cli(folder, "resume", "owed").code == 1  # GL074: the first process had failpoints armed
    assert [(row.key.attempt, row.cause, row.grade) for row in only_rows(folder, "owed")] == [
        (1, "plan", "none"),
        (2, "retry", "green"),
    ]
    assert runs.cli(folder, "resume", "owed").code == 1  # GL074: the first process had failpoints armed
    assert len(only_rows(folder, "owed")) == 2


def test_an_attempt_that_kills_the_runner_is_given_up_after_the_sealed_number_of_restarts(folder: Path) -> None:
    kill = {"DENOMINATOR_FAILPOINTS": "agent.before=kill@1"}
    assert runs.cli(folder, "run", "once.toml", "--run-id", "deadly", env=kill).code == -signal.SIGKILL
    for _ in range(2):
        assert runs.cli(folder, "resume", "deadly", env=kill).code == -signal.SIGKILL
    assert runs.cli(folder, "resume", "deadly", env=kill).code == 1
    (row,) = only_rows(folder, "deadly")
    assert row.first_unrecovered is not None
    assert (row.incarnations, row.closed, row.first_unrecovered.cause) == (3, True, "harness_killed")
    (draw,) = result_of(folder, "deadly").judged.sheet.draws
    assert (draw.exit, draw.origin, draw.reason) == ("unscoreable", "HARNESS", "harness_killed")


def test_on_timeout_grade_grades_what_was_left(folder: Path) -> None:
    arms = [shell("right", f"{SOLVE}; sleep 60"), shell("wrong", "echo '#' >> bounds.py; sleep 60")]
    text = runs.envelope(arms, policy={"on_timeout": "grade"}, budget={"wall_s": 2, "working_s": 1})
    (folder / "grade.toml").write_text(text)
    assert runs.cli(folder, "run", "grade.toml", "--run-id", "late").code == 0
    (right,), (wrong,) = only_rows(folder, "late-right"), only_rows(folder, "late-wrong")
    assert [(row.after_cap, row.killed_by, row.grade) for row in (right, wrong)] == [
        (True, "budget_working", "green"), (True, "budget_working", "red"),
    ]  # fmt: skip
    ends = [result_of(folder, f"late-{arm}").judged.sheet.draws[0] for arm in ("right", "wrong")]
    assert [(draw.exit, draw.failure_class) for draw in ends] == [("pass", "pass"), ("fail", "timeout")]
    assert all("after_cap" in draw.tags for draw in ends)


def test_a_commit_that_was_made_to_find_no_room_ends_its_attempt_and_is_no_infrastructure(folder: Path) -> None:
    """Commit 6 announces the attempt's first checkpoint: a run starts, promises, two controls, an attempt starts."""
    traps = {"DENOMINATOR_FAILPOINTS": "journal.before_commit=enospc@6"}
    assert runs.cli(folder, "run", "once.toml", "--run-id", "tight", env=traps).code == 1
    (row,) = only_rows(folder, "tight")
    assert row.first_unrecovered is not None
    assert (row.first_unrecovered.cause, row.stop_reason, row.closed) == ("injected_fault", "harness", True)
    assert runs.opened(folder, "tight").journal.verify() == []
    result = result_of(folder, "tight")
    (draw,) = result.judged.sheet.draws
    assert (draw.exit, draw.origin, draw.reason) == ("unscoreable", "HARNESS", "injected_fault")
    said = [(one.severity, one.what) for one in result.judged.findings if one.code == "GL074"]
    assert said == [("block", "failpoints were armed: journal.before_commit=enospc@6")]
    assert result.judged.verdict.status == "blocked"
