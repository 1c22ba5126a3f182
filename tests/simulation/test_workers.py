"""Attempts carried by worker processes: the ledger is that of a run without them, whoever dies in between."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from workers_lab import begin, children_of, cli, finish, opened, same_as

TWO = ("--workers", "processes://2?claim=3")
MODULE = "wiring.worker_main"

pytestmark = pytest.mark.needs_bwrap


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A locked pack, a scripted agent that takes half a second, and a run without workers to compare with."""
    folder = begin(tmp_path_factory.mktemp("workers") / "b", sleep_s=0.4)
    assert finish(cli(folder, "run", "envelope.toml", "--run-id", "whole")) == 0
    return folder


def until(what: Callable[[], object], within_s: float = 60) -> None:
    """Wait for something to be so."""
    deadline = time.monotonic() + within_s
    while not what():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.02)


def begun(folder: Path, run_id: str, kind: str = "started") -> bool:
    """Has an attempt of the run come as far as an event?"""
    if not (folder / "runs" / run_id / "seal.json").exists():
        return False
    run = opened(folder, run_id)
    try:
        return any(event.kind == kind for event in run.journal.events())
    finally:
        run.journal.close()


def places(folder: Path, run_id: str) -> list[tuple[str, int]]:
    """Where each incarnation worked."""
    run = opened(folder, run_id)
    try:
        return [(str(e.payload.get("place", "")), e.incarnation) for e in run.journal.events() if e.kind == "started"]
    finally:
        run.journal.close()


def working(folder: Path, run_id: str) -> int:
    """The process that began the first attempt of a run."""
    return int(places(folder, run_id)[0][0].rpartition("/")[2].partition("-")[0])


def holding(folder: Path, run_id: str) -> set[int]:
    """Processes whose attempt has begun and not ended."""
    run = opened(folder, run_id)
    with closing(run.journal):
        events = list(run.journal.events())
    over = {e.key for e in events if e.kind == "closed"}
    found = [str(e.payload["place"]) for e in events if e.kind == "started" and e.key not in over]
    return {int(place.rpartition("/")[2].partition("-")[0]) for place in found}


def silenced(folder: Path, run_id: str) -> int:
    """A worker that is stopped at an attempt, and not in a commit: there it would hold the file of all of them."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for pid in holding(folder, run_id):
            os.kill(pid, signal.SIGSTOP)
            if pid in holding(folder, run_id) and writable(folder / "runs" / run_id / "journal.db"):
                return pid
            os.kill(pid, signal.SIGCONT)
        time.sleep(0.02)
    raise AssertionError("nobody could be stopped at an attempt")


def writable(journal: Path) -> bool:
    with closing(sqlite3.connect(journal, timeout=1, isolation_level=None)) as db:
        try:
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        db.execute("ROLLBACK")
        return True


def test_two_processes_leave_the_ledger_of_one(bench: Path) -> None:
    assert finish(cli(bench, "run", "envelope.toml", "--run-id", "two", *TWO)) == 0
    same_as(bench, "two", "whole")
    found = places(bench, "two")
    assert len({place for place, _ in found}) == 2
    assert "" not in {place for place, _ in found}
    assert not (bench / "runs" / "two" / "work").exists()


def test_a_worker_that_is_killed_costs_one_incarnation(bench: Path) -> None:
    process = cli(bench, "run", "envelope.toml", "--run-id", "killed", *TWO)
    until(lambda: begun(bench, "killed"))
    os.kill(working(bench, "killed"), signal.SIGKILL)
    assert finish(process) == 0
    same_as(bench, "killed", "whole")
    assert 2 in {number for _, number in places(bench, "killed")}


def test_a_worker_that_falls_silent_loses_its_claim_and_is_fenced(bench: Path) -> None:
    process = cli(bench, "run", "envelope.toml", "--run-id", "silent", *TWO)
    until(lambda: begun(bench, "silent"))
    victim = silenced(bench, "silent")
    try:
        until(lambda: 2 in {number for _, number in places(bench, "silent")})
    finally:
        os.kill(victim, signal.SIGCONT)
    assert finish(process) == 0
    same_as(bench, "silent", "whole")


def test_a_polite_stop_ends_the_workers_and_resume_goes_on(bench: Path) -> None:
    process = cli(bench, "run", "envelope.toml", "--run-id", "stop", *TWO)
    until(lambda: begun(bench, "stop"))
    workers = children_of(process.pid, MODULE)
    process.send_signal(signal.SIGINT)
    assert finish(process) == 130
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]
    run = opened(bench, "stop")
    kinds = [e.kind for e in run.journal.events() if e.key is None]
    run.journal.close()
    assert kinds[-2:] == ["run.stopping", "run.stopped"]
    assert finish(cli(bench, "resume", "stop", *TWO)) == 0
    same_as(bench, "stop", "whole")


def test_a_killed_coordinator_takes_its_workers_along_and_resume_goes_on_without_any(bench: Path) -> None:
    process = cli(bench, "run", "envelope.toml", "--run-id", "dead", *TWO)
    until(lambda: begun(bench, "dead"))
    workers = children_of(process.pid, MODULE)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    until(lambda: not [pid for pid in workers if Path(f"/proc/{pid}").exists()])
    assert finish(cli(bench, "resume", "dead")) == 0
    same_as(bench, "dead", "whole")


def test_no_process_is_left_behind(bench: Path) -> None:
    left = subprocess.run(["pgrep", "-f", str(bench)], capture_output=True, text=True, check=False).stdout.split()
    assert not left
