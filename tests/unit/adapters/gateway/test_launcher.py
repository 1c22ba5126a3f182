"""The launcher: the agent finds its model on loopback, and ends as if nothing stood before it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from importlib.resources import files

import pytest

from denominator.adapters.agents import contract
from denominator.adapters.gateway import launcher
from denominator.adapters.gateway.inside import launch
from denominator.adapters.gateway.launcher import through_launcher
from denominator.ports import AgentPlan
from unit.adapters.gateway.worlds import chat, document, sends, world

LAUNCH = str(files("denominator.adapters.gateway.inside").joinpath("launch.py"))
ASK = """
import http.client, json, os, sys
from urllib.parse import urlsplit
url = urlsplit(os.environ["DENOMINATOR_MODEL_URL"])
c = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
for _ in range(2):
    c.request("POST", url.path + "/chat/completions", b"{}", {"Authorization": "Bearer " + os.environ["TOKEN"]})
    r = c.getresponse()
    print(r.status, r.read().decode())
"""


def _launch(path, *command: str, env=None, **options) -> subprocess.Popen:
    argv = [sys.executable, "-I", "-B", LAUNCH, str(path), "--", *command]
    env = {"PATH": "/usr/bin:/bin", **(env or {})}
    return subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def test_calls_reach_the_relay(tmp_path):
    with world(sends(document(chat())), tmp_path) as w:
        done = _launch(w.lease.socket, sys.executable, "-c", ASK, env={"TOKEN": w.lease.token})
        out, err = done.communicate(timeout=60)
        assert len(w.lease.close()) == 2
    assert done.returncode == 0, err
    assert [line.split(" ", 1) for line in out.splitlines()] == [["200", chat().decode()]] * 2


def test_without_a_relay_calls_are_answered_and_the_agent_lives_on(tmp_path):
    done = _launch(tmp_path / "gone.sock", sys.executable, "-c", ASK + "\nsys.exit(7)", env={"TOKEN": "x"})
    out, _ = done.communicate(timeout=60)
    assert done.returncode == 7
    for line in out.splitlines():
        status, body = line.split(" ", 1)
        assert (status, json.loads(body)["error"]["type"]) == ("503", "relay_unavailable")


def test_marks_are_replaced_in_command_and_environment(tmp_path):
    show = "import os, sys; print(sys.argv[1], os.environ['ROOT'], os.environ['DENOMINATOR_MODEL_URL'])"
    command = (sys.executable, "-c", show, launch.URL_MARK)
    out, _ = _launch(tmp_path / "s", *command, env={"ROOT": launch.ROOT_MARK}).communicate(timeout=60)
    url, root, also = out.split()
    assert url == also == root + "/v1"
    assert root.startswith("http://127.0.0.1:")


@pytest.mark.parametrize("code", [0, 1, 77, 255])
def test_exit_codes_pass(tmp_path, code):
    assert _launch(tmp_path / "s", "/bin/sh", "-c", f"exit {code}").wait(60) == code


@pytest.mark.parametrize(("name", "code"), [("/no/such/program", 127), ("/etc/passwd", 126)])
def test_a_command_that_cannot_be_run_has_the_shells_code(tmp_path, name, code):
    assert _launch(tmp_path / "s", name).wait(60) == code


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGABRT])
def test_a_signal_that_ends_the_agent_ends_the_launcher(tmp_path, number):
    assert _launch(tmp_path / "s", "/bin/sh", "-c", f"ulimit -c 0; kill -{number.value} $$").wait(60) == -number


def test_a_signal_to_the_launcher_reaches_the_agent(tmp_path):
    script = "trap 'echo got; exit 9' TERM; echo ready; while :; do sleep 0.05; done"
    done = _launch(tmp_path / "s", "/bin/sh", "-c", script)
    assert done.stdout.readline() == "ready\n"
    done.send_signal(signal.SIGTERM)
    out, _ = done.communicate(timeout=60)
    assert (done.returncode, out) == (9, "got\n")


def test_the_harness_pipe_goes_to_the_command_and_is_not_kept(tmp_path):
    # Ends only once the launcher has let go of the pipe.
    script = "echo started >&3; exec 3>&-; while readlink /proc/$PPID/fd/3 | grep -q report; do sleep 0.05; done"
    outer = f'exec 3>"$0/report"; exec "{sys.executable}" -I "{LAUNCH}" "$0/s" -- /bin/sh -c "$1"'
    subprocess.run(["/bin/sh", "-c", outer, str(tmp_path), script], timeout=60, check=True)
    assert (tmp_path / "report").read_text() == "started\n"


def test_a_plan_is_wrapped_and_its_token_filled_in():
    plan = AgentPlan(
        argv=("a", contract.MODEL_TOKEN_MARK, contract.MODEL_URL_MARK),
        env={"K": f"x{contract.MODEL_TOKEN_MARK}"},
        files={"f": b"1"},
    )
    wrapped = through_launcher(plan, "/usr/bin/python3", "tok")
    assert wrapped.argv[0] == "/usr/bin/python3"
    assert wrapped.argv[-4:] == ("--", "a", "tok", contract.MODEL_URL_MARK)
    assert wrapped.env == {"K": "xtok", "DENOMINATOR_MODEL_TOKEN": "tok"}
    assert set(wrapped.files) == {"f", launcher.LAUNCH_FILE}
    assert f"/in/{launcher.LAUNCH_FILE}" in wrapped.argv


def test_a_plan_without_a_command_stays_as_it_is():
    assert through_launcher(AgentPlan(), "/usr/bin/python3", "tok") == AgentPlan()


def test_both_sides_write_the_same_marks():
    assert contract.MODEL_URL_MARK == launch.URL_MARK
    assert contract.MODEL_ROOT_MARK == launch.ROOT_MARK
    assert contract.MODEL_TOKEN_MARK == launcher.TOKEN_MARK
