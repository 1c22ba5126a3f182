"""Agents in the real sandbox: they run to an end, and reach a model through the relay with the network off."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from denominator.adapters.agents.command import Command
from denominator.adapters.agents.contract import Setup
from denominator.adapters.agents.oracle import Oracle
from denominator.adapters.agents.script import Script
from denominator.adapters.clock import SystemClock
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.relay import Relay
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.run.spending import Caps, Spending
from denominator.testing.agent_suite import check_run, job_of, suite_limits
from denominator.testing.scripted_server import ScriptedServer
from denominator.wire.providers import sum_usage
from unit.adapters.agents.tasks import agent_task

pytestmark = [
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]

GOLD = b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n"
SCRIPT = 'schema_version = 1\n[[task]]\nid = "t1"\n[[task.step]]\nrun = "test $(cat x) = 1 && echo 3 > y"\n'
ASK = """
import json, os, urllib.request
url, token = os.environ["DENOMINATOR_MODEL_URL"], os.environ["DENOMINATOR_MODEL_TOKEN"]
body = json.dumps({"model": "m-1", "messages": [{"role": "user", "content": open(os.environ["DENOMINATOR_PROMPT"]).read()}]})
request = urllib.request.Request(url + "/chat/completions", body.encode(), {"Authorization": "Bearer " + token})
answer = json.load(urllib.request.urlopen(request))
open("y", "w").write(answer["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"])
try:
    urllib.request.urlopen(os.environ["OUTSIDE"], timeout=5)
except OSError as error:
    print("outside:", type(error).__name__)
"""


@pytest.fixture
def sandbox():
    made = Bubblewrap()
    yield made
    made.close()


@pytest.fixture
def folder(tmp_path):
    # The sandbox's uid must be able to reach what it is shown.
    for parent in (tmp_path, *tmp_path.parents):
        if parent.stat().st_uid == os.getuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o011)
    return tmp_path


def _repository(work: Path) -> None:
    (work / "x").write_text("1\n")


@pytest.mark.parametrize(
    "make",
    [
        lambda: (Oracle(), agent_task(gold=GOLD)),
        lambda: (Oracle(), agent_task(control="must_ask")),
        lambda: (Script(Setup(script=SCRIPT)), agent_task()),
        lambda: (Command(), agent_task(command=("/bin/sh", "-c", "cat {prompt_file} && echo 2 > {workdir}/x"))),
    ],
)
def test_agents_run_to_an_end(make, sandbox, folder):
    agent, task = make()
    assert check_run(agent, task, sandbox, folder, _repository) == []


def _run(task, agent, sandbox, folder, lease=None):
    limits = suite_limits()
    work = sandbox.workspace(folder / "work", role="agent", slot=0, disk_bytes=limits.disk_bytes)
    out = sandbox.workspace(folder / "out", role="agent", slot=0, disk_bytes=limits.disk_bytes)
    _repository(work)
    sandbox.hand_over(work, role="agent", slot=0)
    plan = agent.plan(task)
    if lease is not None:
        plan = lease.through(plan, "/usr/bin/python3")
        sandbox.hand_over(lease.socket.parent, role="agent", slot=0)
    socket = None if lease is None else lease.socket
    return sandbox.run(job_of(plan, task.prompt, folder / "in", work=work, out=out, limits=limits, socket=socket)), work


def test_the_oracle_changes_the_repository(sandbox, folder):
    ended, work = _run(agent_task(gold=GOLD), Oracle(), sandbox, folder)
    assert (ended.exit_code, ended.start_error) == (0, ""), ended
    assert (work / "x").read_text() == "2\n"


def test_an_agent_reaches_its_model_and_nothing_else(sandbox, folder):
    with ScriptedServer(["echo hello"]) as server:
        (folder / "relay").mkdir()
        seen = []
        relay = Relay(
            Settings(endpoint=server.url),
            environ={},
            clock=SystemClock(),
            record=lambda *rows: seen.extend(rows),
            guard=Spending(Caps()),
        )
        task = agent_task(command=("/usr/bin/python3", "-c", ASK, "{model_url}"), env={"OUTSIDE": server.url})
        lease = relay.open(task.key, 1, folder / "relay", uid=None)
        ended, work = _run(task, Command(), sandbox, folder, lease)
        rows = lease.close()
        relay.shutdown()
        assert len(server.requests) == 1
        assert lease.token not in json.dumps(server.headers)
    assert ended.exit_code == 0, ended
    assert json.loads((work / "y").read_text()) == {"command": "echo hello"}
    assert b"outside: URLError" in ended.stdout
    assert [row.outcome for row in rows] == ["ok"]
    assert sum_usage(rows).complete is True
    assert [row.outcome for row in seen] == ["open", "ok"]
