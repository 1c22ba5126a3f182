"""No room while a run begins: said in words with exit 4 (its promises are open), and a resume does all of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("run-policy"),
]
TASK = "clamp-low"
POINTS = ("lease.acquired", "run.start.before", "journal.before_commit", "journal.after_commit")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("begin")
    runs.make_pack(folder, TASK)
    arm = {"label": "solve", "agent": "command", "command": ["sh", "-c", runs.SOLVE[TASK]]}
    (folder / "once.toml").write_text(runs.envelope([arm]))
    return folder


@pytest.mark.parametrize("action", ["enospc", "eio"])
@pytest.mark.parametrize("point", POINTS)
def test_a_run_that_could_not_be_begun_is_open_and_resumed(folder: Path, point: str, action: str) -> None:
    run_id = f"{point.replace('.', '-').replace('_', '-')}-{action}"
    said = runs.cli(
        folder, "run", "once.toml", "--run-id", run_id, env={"DENOMINATOR_FAILPOINTS": f"{point}={action}@1"}
    )
    assert said.code == 4, said.err
    assert "the run could not be begun" in said.err and f"denominator resume {run_id}" in said.err
    assert "E008" not in said.err
    assert runs.cli(folder, "resume", run_id).code in (0, 1)  # 1: a start with armed failpoints is on record
    (row,) = runs.ledger_of(folder, run_id).rows
    assert (row.closed, row.grade) == (True, "green")
    assert runs.opened(folder, run_id).journal.verify() == []
