"""The runs in which the faults happen, each as a process of its own; what `labels --json` says of them afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

from denominator.testing.scripted_server import ScriptedServer
from denominator.wiring.opening import find_run, look_into
from e2e import runs
from kept import cache_home
from simulation import faults_model as asking
from simulation.faults_pack import TASKS, flaky_pack, solved_files
from simulation.faults_script import HUNG, large_blob, script

Rows = dict[str, dict[str, Any]]
FAR = 300
BUDGET = {"wall_s": 8, "working_s": 8}
# One folder of the run's blobs is a small disk while the run goes on; what it held is kept.
SMALL_DISK = """
set -e
mkdir -p "$1" "$2"
cp -a "$1/." "$2/"
mount -t tmpfs -o size=1m,mode=755 small "$1"
cp -a "$2/." "$1/"
python=$3 pid=$4
set +e
"$python" -m denominator resume faults & echo $! > "$pid.new"; mv "$pid.new" "$pid"
wait $!
cp -a "$1/." "$2/"; umount "$1"; cp -a "$2/." "$1/"
"""


@cache
def can_mount() -> bool:
    """May this user mount a disk in a namespace of its own?"""
    if os.geteuid() or shutil.which("unshare") is None:
        return False
    tried = ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=1m small /tmp"]
    return subprocess.run(tried, check=False, capture_output=True).returncode == 0


def labels(folder: Path, run_id: str) -> Rows:
    """The rows of a run by task, as the command line lists them."""
    done = runs.cli(folder, "labels", run_id, "--json")
    assert done.code == 0, done.err
    rows = done.json["rows"]
    assert len({row["task_id"] for row in rows}) == len(rows)
    return {row["task_id"]: row for row in rows}


def scripted(folder: Path) -> Rows:
    """Killed before its first attempt, resumed on a small disk, killed again while one attempt is left; judged as it stands."""
    (folder / "script.toml").write_text(script())
    (folder / "faults.toml").write_text(
        runs.envelope([{"label": "faults", "agent": "script", "script": "script.toml"}], budget=BUDGET)
    )
    first = runs.start(
        folder,
        "run",
        "faults.toml",
        "--run-id",
        "faults",
        env={"DENOMINATOR_FAILPOINTS": "journal.after_commit=kill@1"},
    )
    _, said = first.communicate(timeout=FAR)
    assert first.returncode == -signal.SIGKILL, said
    going_on, pid = _resumed(folder)
    try:
        _until_one_is_left(folder, going_on)
    finally:
        if going_on.poll() is None:
            os.kill(pid, signal.SIGKILL)
        going_on.communicate(timeout=FAR)
    return labels(folder, "faults")


def _resumed(folder: Path) -> tuple[subprocess.Popen[str], int]:
    """`resume` under way, and the process that is the harness."""
    scratch = folder / "scratch"  # A killed harness leaves its grading's folder behind.
    scratch.mkdir()
    if not can_mount():
        process = runs.start(folder, "resume", "faults", env={"TMPDIR": str(scratch)})
        return process, process.pid
    small = folder / "runs" / "faults" / "blobs" / large_blob()[:2]
    pid = folder / "pid"
    process = subprocess.Popen(
        ["unshare", "-m", "sh", "-c", SMALL_DISK, "sh", str(small), str(folder / "beside"), sys.executable, str(pid)],
        cwd=folder,
        env=os.environ | {"XDG_CACHE_HOME": cache_home(folder), "NO_COLOR": "1", "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not pid.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process, int(pid.read_text())


def _until_one_is_left(folder: Path, process: subprocess.Popen[str]) -> None:
    """Waits until every attempt has ended but for the one that hangs, which has begun its grading."""
    run = look_into(find_run("faults", folder / "runs"))
    deadline = time.monotonic() + FAR
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        events = [event for event in run.journal.events() if event.key is not None]
        closed = {event.key.task_id for event in events if event.kind == "closed" and event.key}
        hangs = any(event.checkpoint == "tests_run" and event.key and event.key.task_id == HUNG for event in events)
        if hangs and closed == set(TASKS) - {HUNG}:
            return
        time.sleep(0.2)
    raise AssertionError(f"still under way: {sorted(set(TASKS) - closed)}")


def asked(folder: Path) -> Rows:
    """An agent behind a model that fails on loopback."""
    agent = folder / "agent"
    agent.mkdir(mode=0o755)
    (agent / "ask.py").write_text(asking.AGENT)
    for task in asking.SOLVED:
        solved_files(agent / "solved", task)
    arm = {
        "label": "asking", "agent": "command", "command": ["{python}", "/opt/agent/ask.py", "{task_id}"],
        "mounts": [f"{agent}=/opt/agent"], "env": {"ADDRESS": "{model_url}"},
    }  # fmt: skip
    with ScriptedServer(asking.commands, asking.fault_for()) as server:
        text = runs.envelope(
            [arm], budget={**BUDGET, "wall_s": 30, "working_s": 30, "tokens": 100_000}, sandbox={"network": "gateway"}
        )
        (folder / "asking.toml").write_text(runs.with_model(text, server.url, key_env="FAULTS_KEY"))
        key = {"FAULTS_KEY": "sk-none-0123456789"}
        done, stops = runs.cli(folder, "run", "asking.toml", "--run-id", "asking", env=key), 0
        # A spent account stops a run; whoever resumes it says that the account is filled.
        while done.code == 4 and "the account is spent" in done.err:
            done, stops = runs.cli(folder, "resume", "asking", env=key), stops + 1
    assert done.code in (0, 1), done.err
    assert stops >= 1
    return labels(folder, "asking")


def tossed(folder: Path) -> Rows:
    """A task whose test tosses a coin: twelve gradings of each tree miss it once in four million runs."""
    flaky_pack(folder)
    (folder / "coin.toml").write_text(
        runs.envelope([{"label": "gold", "agent": "oracle"}], pack="coin", run={"baseline_repeats": 12})
    )
    done = runs.cli(folder, "run", "coin.toml", "--run-id", "coin")
    assert done.code in (0, 1), done.err
    return labels(folder, "coin")
