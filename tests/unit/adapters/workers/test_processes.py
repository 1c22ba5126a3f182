"""Worker processes on this machine, with a worker that only echoes."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from denominator.adapters.workers.child import Child, Children, GoneError
from denominator.adapters.workers.processes import ENGINE, Processes
from denominator.errors import InputError
from denominator.ports import Carried

ECHO = """
import json, os, sys, time
run = json.loads(sys.stdin.readline())["run"]
stopped = False
for line in sys.stdin:
    said = json.loads(line)
    if "stop" in said:
        stopped = True
        continue
    job = said["job"]
    if job == "die":
        sys.stderr.write("no more room\\n"); os._exit(7)
    if job == "wait":
        said = json.loads(sys.stdin.readline())
        print(json.dumps({"answer": "told" if said.get("stop") else "not told"}), flush=True)
        continue
    print(json.dumps({"answer": f"{run} {job} {os.getpid()}", "last": job == "last"}), flush=True)
    if job == "last":
        break
"""


@pytest.fixture
def echo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module that answers with what it was asked."""
    (tmp_path / "echo_worker.py").write_text(ECHO)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "echo_worker"


@pytest.fixture
def two(echo: str) -> Iterator[Processes]:
    workers = ENGINE.connect(urlsplit("processes://2"), echo)
    yield workers
    workers.close()


def done(workers: Processes, ticket: str) -> Carried:
    found = None
    while found is None:
        found = workers.poll(ticket, 10)
    return found


def test_a_process_serves_one_run_and_answers_in_turn(echo: str) -> None:
    child = Child(echo, "r")
    assert child.ask("a") == (f"r a {child.pid}", False)
    assert child.ask("b\nc")[0].startswith("r b\nc ")
    child.close()
    with pytest.raises(GoneError):
        child.ask("c")


def test_a_process_that_dies_leaves_its_last_words_and_is_replaced(echo: str) -> None:
    slot = Children(echo)
    with pytest.raises(GoneError, match="exit 7: no more room"):
        slot.ask("r", "die")
    assert slot.ask("r", "a").startswith("r a ")
    slot.close()


def test_a_process_that_says_it_was_its_last_job_is_replaced(echo: str) -> None:
    slot = Children(echo)
    first = slot.ask("r", "last").split()[-1]
    assert slot.ask("r", "a").split()[-1] != first
    slot.close()


def test_each_run_has_a_process_of_its_own_and_old_ones_make_room(echo: str) -> None:
    slot = Children(echo, most=2)
    pids = [slot.ask(run, "a").split()[-1] for run in ("r", "s", "r", "t", "s")]
    assert pids[0] == pids[2]
    assert len(set(pids)) == 3
    assert len(slot.pids()) == 2
    slot.close()
    assert not any(Path(f"/proc/{pid}").exists() for pid in set(pids))


def test_jobs_wait_for_a_free_slot_and_every_one_is_answered(two: Processes) -> None:
    tickets = [two.submit("r", f"job{n}") for n in range(20)]
    answers = [done(two, ticket).answer for ticket in tickets]
    assert [answer.split()[1] for answer in answers] == [f"job{n}" for n in range(20)]
    assert len({answer.split()[2] for answer in answers}) <= 2


def test_a_killed_process_is_a_lost_job(two: Processes) -> None:
    ticket = two.submit("r", "wait")
    deadline = time.monotonic() + 30
    while not two.pids() and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(two.pids()[0], signal.SIGKILL)
    assert "exit -9" in done(two, ticket).lost


def test_a_cancelled_job_is_told_or_never_begins(two: Processes) -> None:
    running = [two.submit("r", "wait") for _ in range(2)]
    assert all(two.poll(ticket, 0.5) is None for ticket in running)
    waiting = two.submit("r", "a")
    two.cancel(waiting)
    for ticket in running:
        two.cancel(ticket)
    assert [done(two, ticket).answer for ticket in running] == ["told", "told"]
    assert done(two, waiting).lost


def test_a_process_that_hears_nothing_any_more_holds_nobody_up_at_the_end(echo: str) -> None:
    workers = ENGINE.connect(urlsplit("processes://1"), echo)
    workers.end_within_s = 0.1
    ticket = workers.submit("r", "wait")
    while not workers.pids():
        time.sleep(0.01)
    (pid,) = workers.pids()
    os.kill(pid, signal.SIGSTOP)
    ending = threading.Thread(target=workers.close, daemon=True)
    ending.start()
    ending.join(20)
    assert not ending.is_alive()
    assert not Path(f"/proc/{pid}").exists()
    assert "exit -9" in done(workers, ticket).lost


def test_what_a_worker_prints_beside_its_answers_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[4] / "src"))
    child = Child("denominator.wiring.worker_main", json.dumps({"folder": str(tmp_path / "no-run")}))
    answer, last = child.ask("{}")
    assert json.loads(answer)["word"] == "error"
    assert json.loads(answer)["host"] == socket.gethostname()
    assert last
    child.close()


@pytest.mark.parametrize(
    "text", ["processes://", "processes://0", "processes://-1", "processes://x", "processes://2/a"]
)
def test_a_number_of_processes_is_asked_for(text: str) -> None:
    with pytest.raises(InputError, match="number of processes"):
        ENGINE.connect(urlsplit(text), "none")


def test_the_interpreter_is_ours(two: Processes) -> None:
    pid = done(two, two.submit("r", "a")).answer.split()[-1]
    assert os.path.realpath(f"/proc/{pid}/exe") == os.path.realpath(sys.executable)
