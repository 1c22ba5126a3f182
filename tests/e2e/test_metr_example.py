"""docs/examples/metr.md shows what its commands print, and its figures are those of the public file.

`python -m pytest tests/e2e/test_metr_example.py` says what differs; METR_WRITE=1 renews the blocks.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from denominator.cli.main import run_cli

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "examples" / "metr.md"
SAMPLE = ROOT.parent / "shared" / "samples" / "metr-eval-analysis" / "all_runs.2025-01-22.jsonl"
LATER = SAMPLE.with_name("all_runs.2025-02-05.jsonl")
SONNET = "Claude 3.5 Sonnet (New)"
MANIFESTS = (
    ("grade", SONNET, "grade", "2025-01-22", "0.10"),
    ("fail", SONNET, "fail", "2025-01-22", "0.10"),
    ("wide", SONNET, "grade", "2025-01-22", "0.30"),
    ("o1", "o1", "grade", "2025-01-22", "0.10"),
    ("later", "o1", "grade", "2025-02-05", "0.10"),
)
COMMAND = re.compile(r"```text\n\$ denominator ([^\n]*)\n(.*?)```", re.S)
DIGEST = re.compile(r"rules [0-9a-f]{12}")  # Moves with every rule, and is of no interest here.

pytestmark = pytest.mark.skipif(
    not SAMPLE.exists(), reason="the public METR sample is not beside the repository (../shared/samples)"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copyfile(SAMPLE, tmp_path / "all_runs.jsonl")
    (tmp_path / "later").mkdir()
    shutil.copyfile(LATER, tmp_path / "later" / "all_runs.jsonl")
    for name, model, policy, revision, ceiling in MANIFESTS:
        (tmp_path / name).mkdir(exist_ok=True)
        script = [sys.executable, str(ROOT / "docs" / "examples" / "metr_manifest.py")]
        file = tmp_path / ("later" if name == "later" else "") / "all_runs.jsonl"
        made = subprocess.run([*script, str(file), model, policy, revision, ceiling], check=True, capture_output=True)
        (tmp_path / name / "manifest.json").write_bytes(made.stdout)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def test_every_block_is_what_the_command_prints(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = PAGE.read_text("utf-8")

    def played(found: re.Match[str]) -> str:
        code = run_cli(shlex.split(found[1]))
        return f"```text\n$ denominator {found[1]}\n{capsys.readouterr().out.rstrip()}\n[exit {code}]\n```"

    made = COMMAND.sub(played, page)
    assert len(COMMAND.findall(page)) == 6
    if os.environ.get("METR_WRITE"):
        PAGE.write_text(made, "utf-8")
    assert DIGEST.sub("", made) == DIGEST.sub("", page)


def test_the_figures_of_the_page_are_those_of_the_file() -> None:
    rows = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]
    mine = [row for row in rows if row["alias"] == "Claude 3.5 Sonnet (New)"]
    limited = [row for row in mine if row["fatal_error_from"] == "usageLimits"]
    tasks = Counter(row["task_id"] for row in mine)
    page = PAGE.read_text("utf-8")
    for figure in (
        f"{len(rows)} rows",
        f"{len(mine)} runs over {len(tasks)} tasks",
        f"{sum(row['score_binarized'] for row in mine)}; ",
        f"{sum(row['score_binarized'] for row in limited)}: *unknown*",
        f"of them {sum(1 - row['score_binarized'] for row in limited)} after a usage limit (class",
        f"on {len(limited)} rows",
        f"tasks have {min(tasks.values())} to {max(tasks.values())} runs each",
        f"{sum(r['score_binarized'] for r in mine) - sum(r['score_binarized'] for r in limited)} of {len(mine) - len(limited)}",
    ):
        assert figure in page, figure
    assert {row["total_tokens"] for row in rows if row["alias"] != "human"} == {None}
