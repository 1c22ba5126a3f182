"""SIGKILL at random moments: after resume the ledger is that of an uninterrupted run, and nothing was applied twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.pipeline.run import open_promises, read_ledger
from denominator.pipeline.world import OpenRun
from denominator.records.events import Json
from denominator.records.rows import AttemptRow, Ledger
from denominator.wire.codec import to_json
from denominator.wiring.opening import find_run, open_run

PACKS = Path(__file__).parents[1] / "data" / "packs"
SEED = 20261129
# What the clock and the number of starts decide; everything else of a row must be equal.
TIMES = (
    "queue_wait_ms", "setup_ms", "agent_ms", "grade_ms", "wall_ms", "paused_ms", "working_ms", "time_to_first_green_ms",
    "cold_start", "incarnations", "report_sha", "limits_enforced", "started_at",
)  # fmt: skip

pytestmark = pytest.mark.needs_bwrap


def cli(folder: Path, *args: str, env: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "denominator", *args],
        cwd=folder,
        env=os.environ | {"XDG_CACHE_HOME": str(folder / "cache")} | (env or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[bytes]) -> int:
    out, err = process.communicate(timeout=120)
    assert b"Traceback" not in err, err.decode()
    assert out is not None
    return process.returncode


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a locked copy of the four-task pack, an envelope of a scripted agent, and a kept baseline."""
    folder = tmp_path_factory.mktemp("kill")
    subprocess.run(["cp", "-r", PACKS / "four", folder / "four"], check=True)
    (folder / "script.toml").write_text(SCRIPT)
    (folder / "envelope.toml").write_text(ENVELOPE)
    assert finish(cli(folder, "pack", "lock", "four")) == 0
    assert finish(cli(folder, "run", "envelope.toml", "--run-id", "whole")) == 0
    return folder


SCRIPT = """
schema_version = 1

[[task]]
id = "clamp-low"
[[task.step]]
run = "sed -i 's/return min(value, high)/return max(low, min(value, high))/' bounds.py"

[[task]]
id = "count-words"
[[task.step]]
write = "wordy.py"
content = "def count(text):\\n    return len(text.split(None, 1))\\n"

[[task]]
id = "double-it"
[[task.step]]
run = "sed -i 's/return n/return n + n/' twice.py"
"""

ENVELOPE = """
schema_version = 1
question = "Does a killed run come out like a whole one?"
pack = "four"
treatment = []

[[arm]]
label = "script"
agent = "script"
agent_version = "0.1.0"
script = "script.toml"
[arm.model]
id = "none"

[budget]
wall_s = 30
working_s = 30
tool_calls = 50
attempts = 1
repeats = 1
incarnations_max = 50

[policy]
on_timeout = "fail"
[policy.retry]
rate_limited = 0
server_error = 0
timeout = 0
infra = 0

[sandbox]
backend = "bubblewrap"
network = "none"
memory_mb = 256
processes = 64
disk_mb = 64
file_mb = 16

[run]
concurrency = 2
warmup_tasks = 0

[ceilings]
invalid_rate = "0.10"
infra_rate = "0.10"

[metric]
headline = "headline_pass_rate"
scorer = "tests"

[cite]
sentence = "the runner survives kill -9"
rule = "never"

[provenance]
operator = "a test"
purpose = "test"
"""


def opened(folder: Path, run_id: str) -> OpenRun:
    return open_run(find_run(run_id, folder / "runs"), SystemClock(), NoFailpoints())


def plain(row: AttemptRow) -> dict[str, Json]:
    """A row without times and starts; the run id is set aside."""
    found = to_json(replace(row, key=replace(row.key, run_id="r")))
    assert isinstance(found, dict)
    return {name: value for name, value in found.items() if name not in TIMES}


def same_ledger(a: Ledger, b: Ledger) -> None:
    for left, right in zip(a.rows, b.rows, strict=True):
        one, two = plain(left), plain(right)
        assert {k: (one[k], two[k]) for k in one if one[k] != two[k]} == {}
    assert a.declared == b.declared
    assert [(x.value, x.why) for x in a.labels] == [(x.value, x.why) for x in b.labels]
    assert a.defects == b.defects


def check_effects(run: OpenRun) -> None:
    """Each attempt has one ending, one applied tree that the intent named, and no second patch."""
    events = list(run.journal.events())
    assert run.journal.verify() == []
    once = Counter((e.kind, e.key) for e in events if e.kind in ("promised", "closed", "applied", "patch", "graded"))
    assert set(once.values()) == {1}, {k: v for k, v in once.items() if v > 1}
    intents = {
        (e.key, e.payload["post"]) for e in events if e.kind == "checkpoint.intent" and e.checkpoint == "patch_applied"
    }
    assert {(e.key, e.payload["tree"]) for e in events if e.kind == "applied"} <= intents
    assert not run.folder.work.exists(), "scratch of closed attempts is left"


def killed_then_resumed(folder: Path, run_id: str, first_delay: float, rng: random.Random) -> int:
    """Start a run, kill it, resume and kill again until it ends by itself; returns the number of kills."""
    kills, process = 0, cli(folder, "run", "envelope.toml", "--run-id", run_id)
    delay = first_delay
    while True:
        try:
            process.wait(timeout=delay)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            kills += 1
            if not (folder / "runs" / run_id).exists():
                process = cli(folder, "run", "envelope.toml", "--run-id", run_id)
            else:
                process = cli(folder, "resume", run_id)
            delay = rng.uniform(0.1, 2.0) if kills < 3 else 120
            continue
        assert finish(process) == 0
        return kills


@pytest.mark.slow
@pytest.mark.parametrize("least", [10, pytest.param(50, marks=pytest.mark.e2e)])
def test_kills_at_random_moments_leave_the_same_ledger(bench: Path, least: int) -> None:
    rng = random.Random(SEED)
    whole = read_ledger(opened(bench, "whole"))
    assert [str(row.stop_reason) for row in whole.rows] == ["pass", "tests_red", "pass", "pass"]
    kills, runs = 0, 0
    while kills < least:
        run_id = f"k{least}-{runs}"
        kills += killed_then_resumed(bench, run_id, rng.uniform(0.25, 2.2), rng)
        run = opened(bench, run_id)
        assert open_promises(run) == []
        same_ledger(read_ledger(run), whole)
        check_effects(run)
        runs += 1
        assert runs < least + 10
    survivors = subprocess.run(["pgrep", "-f", f"{bench}"], capture_output=True, text=True).stdout.split()
    assert not survivors


FAILPOINTS = (
    "agent.before", "agent.after", "patch.before_done", "patch.after_done", "apply.before_rename", "apply.renamed",
    "patch.done.synced", "verify.before", "verify.after", "verify.recorded", "journal.before_commit", "journal.after_commit",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", FAILPOINTS)
def test_a_kill_on_either_side_of_each_effect_leaves_the_same_ledger(bench: Path, name: str) -> None:
    run_id = f"at-{name.replace('.', '-').replace('_', '-')}"
    nth = "@9" if name.startswith("journal") else "@2"
    process = cli(
        bench, "run", "envelope.toml", "--run-id", run_id, env={"DENOMINATOR_FAILPOINTS": f"{name}=kill{nth}"}
    )
    assert finish(process) == -signal.SIGKILL
    assert finish(cli(bench, "resume", run_id)) == 0
    run = opened(bench, run_id)
    same_ledger(read_ledger(run), read_ledger(opened(bench, "whole")))
    check_effects(run)
    before = sorted(p for p in run.folder.root.rglob("*") if p.is_file() and not p.name.startswith("journal"))
    texts = {p: p.read_bytes() for p in before}
    events = [e.sha for e in run.journal.events() if e.key is not None]
    assert finish(cli(bench, "resume", run_id)) == 0
    again = opened(bench, run_id)
    assert [e.sha for e in again.journal.events() if e.key is not None] == events
    assert {p: p.read_bytes() for p in before} == texts


def test_a_foreign_edit_between_crash_and_resume_is_an_unknown_state(bench: Path) -> None:
    process = cli(
        bench, "run", "envelope.toml", "--run-id", "edited", env={"DENOMINATOR_FAILPOINTS": "patch.done.synced=kill@1"}
    )
    assert finish(process) == -signal.SIGKILL
    # Two attempts may have got that far; the edit of one is enough.
    tree = sorted((bench / "runs" / "edited" / "work").glob("*/applied"))[0]
    victim = sorted(p for p in tree.iterdir() if p.suffix == ".py")[0]
    victim.write_text("# edited by hand\n")
    resumed = cli(bench, "resume", "edited")
    out, err = resumed.communicate(timeout=120)
    assert resumed.returncode == 5, err.decode()
    assert b"unknown state at patch_applied" in err
    assert b"denominator show" in err
    assert victim.read_text() == "# edited by hand\n"
    status = json.loads(cli(bench, "status", "edited", "--json").communicate()[0])
    assert len(status["unknown_state"]) == 1
    del out


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 4)])
def test_a_polite_stop_ends_clean_and_resume_finishes(bench: Path, number: int, code: int) -> None:
    run_id = f"stop-{code}"
    process = cli(
        bench, "run", "envelope.toml", "--run-id", run_id, env={"DENOMINATOR_FAILPOINTS": "verify.before=sleep:400"}
    )
    deadline = time.monotonic() + 60
    while not (bench / "runs" / run_id / "work").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    assert finish(process) == code
    stopped = [e.payload["why"] for e in opened(bench, run_id).journal.events() if e.kind == "run.stopped"]
    assert stopped == ["interrupted" if code == 130 else "sigterm"]
    assert finish(cli(bench, "resume", run_id)) == 0
    same_ledger(read_ledger(opened(bench, run_id)), read_ledger(opened(bench, "whole")))


def test_a_run_id_in_use_is_refused_and_its_files_stay(bench: Path) -> None:
    folder = bench / "runs" / "whole"
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    process = cli(bench, "run", "envelope.toml", "--run-id", "whole")
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert b"is in use" in err
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
