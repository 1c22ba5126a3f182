"""A job that a real Harbor runs here is imported, and what it counts is what Harbor counts, or the difference has a reason.

Harbor has its own environment, made from its locked list (a minute, once); its trials run in bubblewrap.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from denominator.importers.formats.harbor import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import ended

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]

ROOT = Path(__file__).resolve().parents[2]
GRADE = "if grep -q done /app/answer; then echo 1; else echo 0; fi > /logs/verifier/reward.txt"
TASKS = {
    "solved": ("DO echo done > answer", GRADE),
    "wrong": ("DO echo other > answer", GRADE),
    "throttled": ("DO echo done > answer\nRAISE ApiRateLimitError", GRADE),
    "adapter-bug": ("DO echo done > answer\nRAISE ZeroDivisionError", GRADE),
    "late": ("DO echo done > answer\nSLEEP 30", GRADE),
    "no-reward": ("DO echo done > answer", "echo 'pip: cannot resolve host' >&2"),
    "half": ("DO echo done > answer", "echo 0.5 > /logs/verifier/reward.txt"),
}
ATTEMPTS = 2
PASS, FAIL = ("pass", "MODEL", ""), ("fail", "MODEL", "")
NO_REWARD = ("unscoreable", "HARNESS", "grader_error")
THROTTLED, OPEN = ("unscoreable", "INFRA", "provider_rate_limit"), ("unscoreable", "HARNESS", "")
OBEDIENT = {
    "solved": PASS, "wrong": FAIL, "throttled": THROTTLED, "adapter-bug": PASS, "late": PASS, "no-reward": NO_REWARD, "half": OPEN,
}  # fmt: skip
NOP = dict.fromkeys(TASKS, FAIL) | {"no-reward": NO_REWARD, "half": OPEN}


def make_task(folder: Path, prompt: str, verify: str) -> None:
    for inner in ("environment", "tests", "solution"):
        (folder / inner).mkdir(parents=True)
    (folder / "instruction.md").write_text(f"{prompt}\n")
    (folder / "tests" / "test.sh").write_text(f"#!/bin/sh\n{verify}\n")
    (folder / "environment" / "Dockerfile").write_text("FROM scratch\n")
    (folder / "task.toml").write_text(
        f'schema_version = "1.4"\n[task]\nname = "lab/{folder.name}"\nversion = "1.0.0"\ndescription = "lab"\n'
        "[verifier]\ntimeout_sec = 20.0\n[agent]\ntimeout_sec = 2.0\n[environment]\nbuild_timeout_sec = 60.0\n"
    )


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one job: every task, two agents, two attempts."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import bench_overhead

        python = bench_overhead.environment("harbor", bench_overhead.newer_python())
    except LookupError as why:
        pytest.skip(str(why))
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
    folder = tmp_path_factory.mktemp("harbor")
    for name, (prompt, verify) in TASKS.items():
        make_task(folder / "tasks" / name, prompt, verify)
    agents = [{"name": "nop"}, {"import_path": "harbor_lab.agents:Obedient", "model_name": "lab/model-1"}]
    config = {
        "job_name": "lab", "jobs_dir": str(folder / "jobs"), "n_attempts": ATTEMPTS, "n_concurrent_trials": 2, "agents": agents,
        "environment": {"import_path": "harbor_lab.box:Box"}, "datasets": [{"path": str(folder / "tasks")}],
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    env = os.environ | {
        "HARBOR_TELEMETRY": "0",
        "NO_COLOR": "1",
        "HOME": str(folder),
        "PYTHONPATH": str(Path(__file__).parent),
    }
    command = [str(Path(python).with_name("harbor")), "run", "-c", str(folder / "config.json"), "-y", "-q"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder / "jobs" / "lab"


def parts(job: Path) -> dict[str, str]:
    """The runs of the job by a word of their agent."""
    names = [one.name for one in IMPORTER.recognise(open_source(job)).parts]
    return {word: next(name for name in names if word in name) for word in ("nop", "Obedient")}


def evaluation(job: Path, agent: str) -> dict:
    """What Harbor's own result says of an agent."""
    stats = json.loads((job / "result.json").read_text())["stats"]
    return next(found for name, found in stats["evals"].items() if name.startswith(agent))


@pytest.mark.parametrize(("word", "expected"), [("nop", NOP), ("Obedient", OBEDIENT)])
def test_every_trial_ends_as_it_was_made_to(job, word, expected):
    run = IMPORTER.read(open_source(job), parts(job)[word])
    rows = list(run.rows)
    assert run.declared.declared_n == len(rows) == len(TASKS) * ATTEMPTS
    found = {
        (one.row.key.task_id, one.row.key.repeat): ended(one, on_timeout=run.document["on_timeout"]) for one in rows
    }
    assert found == {(name, repeat): end for name, end in expected.items() for repeat in range(1, ATTEMPTS + 1)}
    blocked = {(one.kind, *one.keys) for one in run.told.defects if one.blocks}
    assert blocked == {("no_pass_line", "half")}


@pytest.mark.parametrize(("word", "agent", "expected"), [("nop", "nop", NOP), ("Obedient", "obedient", OBEDIENT)])
def test_our_counts_are_harbor_s_or_the_difference_has_a_reason(job, word, agent, expected):
    theirs, result = evaluation(job, agent), json.loads((job / "result.json").read_text())
    ours = import_foreign(IMPORTER, open_source(job), parts(job)[word])
    exits = Counter(draw.exit for draw in ours.result.judged.sheet.draws)
    scheduled, ends = ours.result.judged.sheet.declared_n, Counter(dict.fromkeys((PASS, FAIL, OPEN), 0))
    ends.update(end for end in expected.values() for _ in range(ATTEMPTS))
    assert result["n_total_trials"] == 2 * scheduled, (
        "Harbor counts the trials of both agents, each of our runs has one"
    )
    assert theirs["n_trials"] == ends[PASS] + ends[FAIL] + ends[OPEN], (
        "Harbor's n_trials leaves out trials whose reward it calls invalid (a rate limit, no reward file) and holds those whose "
        "reward is neither 0 nor 1"
    )
    rewarded = theirs["reward_stats"]["reward"]
    assert exits["pass"] == ends[PASS] == len(rewarded.get("1.0", [])), (
        "a reward of 1 that Harbor calls valid is our pass"
    )
    assert exits["fail"] == ends[FAIL] == len(rewarded.get("0.0", [])), (
        "a reward of 0 that Harbor calls valid is our fail"
    )
    assert len(rewarded["0.5"]) == ends[OPEN], (
        "Harbor averages a reward of 0.5; nobody says whether it is a pass, so we do not"
    )
    assert exits["unscoreable"] == scheduled - exits["pass"] - exits["fail"], "no draw leaves our denominator"
    mean = sum(float(value) * len(some) for value, some in rewarded.items()) / theirs["n_trials"]
    assert abs(theirs["metrics"][0]["mean"] - mean) < 1e-12, (
        "Harbor's mean is over valid rewards, not over what was scheduled"
    )
    assert theirs["n_trials"] < scheduled, "so its denominator is smaller than ours here"


def test_every_exception_that_harbor_counts_is_in_a_row(job):
    run = IMPORTER.read(open_source(job), parts(job)["Obedient"])
    named = Counter(name for one in run.rows for name in json.loads(one.row.extra.get("exceptions", "[]")))
    theirs = evaluation(job, "obedient")
    assert named == {name: len(some) for name, some in theirs["exception_stats"].items()}
    assert sum(named.values()) == theirs["n_errors"], "an exception each, so trials with errors are as many"
    assert named["AgentTimeoutError"] == ATTEMPTS


def test_what_harbor_records_of_its_conditions_is_there(job):
    run = IMPORTER.read(open_source(job), parts(job)["Obedient"])
    rows = list(run.rows)
    assert (run.document["harness_version"], run.document["model_id"]) == ("0.26.0", "lab/model-1")
    assert (run.document["repeats"], run.document["max_attempts"]) == (ATTEMPTS, 1)
    assert str(job) not in json.dumps(dict(run.document), default=str), "no path of this machine is carried over"
    solved = next(one.row for one in rows if one.row.key.task_id == "solved")
    assert (solved.usage.prompt, solved.usage.cached_read, solved.usage.completion) == (120, 20, 8)
    assert solved.own_account.cost == "0.5"
    cost = sum(float(one.row.own_account.cost) for one in rows)
    assert cost == json.loads((job / "result.json").read_text())["stats"]["cost_usd"], "nop tells no cost"
