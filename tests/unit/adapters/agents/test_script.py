"""Script files are read with every mistake in one pass; their steps are carried out and logged."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files

import pytest

from denominator.adapters.agents.contract import Setup
from denominator.adapters.agents.oracle import Oracle
from denominator.adapters.agents.script import Script
from denominator.adapters.agents.script_file import read_script
from denominator.errors import InputError
from unit.adapters.agents.tasks import agent_task

HEAD = 'schema_version = 1\n[[task]]\nid = "t1"\n'


def _problems(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read_script(text, "s.toml")
    return [str(problem) for problem in caught.value.problems]


def test_all_mistakes_of_form_and_meaning_are_named_at_once():
    text = """schema_version = 1
[[task]]
id = "t1"
[[task.step]]
run = "true"
ask = "why?"
[[task.step]]
[[task.step]]
write = "../x"
content = "x"
[[task.step]]
write = "y"
[[task.step]]
content = "z"
run = "true"
[[task.step]]
sleep_s = 99999
[[task.step]]
run = "true"
times = 0
[[task.step]]
run = "true"
times = 1001
[[task.step]]
rum = "true"
[[task]]
id = "t1"
"""
    said = "\n".join(_problems(text))
    for what in (
        "here: run and ask",
        "here: none",
        "'../x' is not a path inside",
        "a write needs its content",
        "content belongs to a write",
        "99999 is out of range",
        "times: 0 is out of range",
        "times: 1001 is out of range",
        "run",
        "scripted twice",
    ):
        assert what in said, what
    assert said.count("rum") >= 1


@pytest.mark.parametrize(
    "text", ["schema_version = ", HEAD + "[[task.step]]\nsleep_s = nan\n", "task = 1\nschema_version = 1"]
)
def test_odd_files_are_refused(text):
    assert _problems(text)


def test_another_version_is_refused():
    assert "schema_version 2" in "".join(_problems("schema_version = 2"))


def test_the_packaged_scripts_can_be_read():
    for name in ("script_careful.toml", "script_hasty.toml"):
        text = files("denominator.data.demo").joinpath(name).read_text("utf-8")
        assert read_script(text, name).task


def _play(tmp_path, plan):
    """Runs a plan of ours (trusted steps, no agent) with the sandbox's folders in a temporary place."""
    names = {"/work": tmp_path / "work", "/in": tmp_path / "in", "/out": tmp_path / "out"}
    for folder in names.values():
        folder.mkdir(exist_ok=True)
    for name, data in plan.files.items():
        (names["/in"] / name).write_bytes(data)

    def moved(text: str) -> str:
        root = next((r for r in names if text == r or text.startswith(r + "/")), None)
        return text if root is None else str(names[root]) + text[len(root) :]

    env = {name: moved(value) for name, value in plan.env.items()} | {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [plan.argv[0], *map(moved, plan.argv[1:])], env=env, capture_output=True, timeout=60, check=False
    )
    log = names["/out"] / "tools.jsonl"
    rows = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
    return done, rows, names


def _script(steps: str) -> Script:
    return Script(Setup(script=HEAD + steps, python=sys.executable))


def test_steps_are_carried_out_in_order_and_logged(tmp_path):
    steps = """
[[task.step]]
write = "d/a.txt"
content = "one\\n"
[[task.step]]
patch = '''
--- a/d/a.txt
+++ b/d/a.txt
@@ -1 +1 @@
-one
+two
'''
[[task.step]]
run = "cat d/a.txt; exit 3"
[[task.step]]
run = "cat d/a.txt; exit 3"
[[task.step]]
sleep_s = 0.01
[[task.step]]
ask = "which rate?"
[[task.step]]
abstain = "cannot tell"
"""
    done, rows, names = _play(tmp_path, _script(steps).plan(agent_task()))
    assert done.returncode == 0, done.stderr
    assert [row["name"] for row in rows] == ["write", "patch", "run", "run", "sleep", "ask", "abstain"]
    assert [row["seq"] for row in rows] == list(range(1, 8))
    assert [row["exit"] for row in rows] == [0, 0, 3, 3, 0, 0, 0]
    assert rows[2]["args"] == {"command": "cat d/a.txt; exit 3"}
    assert rows[2]["result_sha256"] == rows[3]["result_sha256"] != rows[0]["result_sha256"]
    assert (names["/out"] / "ask.md").read_text() == "which rate?"
    assert (names["/out"] / "abstain.md").read_text() == "cannot tell"
    assert b"two" in done.stdout


def test_a_patch_that_does_not_fit_ends_the_script_and_shows(tmp_path):
    steps = "[[task.step]]\npatch = '''\n--- a/n\n+++ b/n\n@@ -1 +1 @@\n-1\n+2\n'''\n[[task.step]]\nrun = \"true\"\n"
    done, rows, _ = _play(tmp_path, _script(steps).plan(agent_task()))
    assert done.returncode == 1
    assert [row["exit"] for row in rows] == [1]
    assert b"no such file" in done.stderr


def test_a_step_may_be_done_again_and_again_and_equal_steps_are_equal_calls(tmp_path):
    write = '[[task.step]]\nwrite = "a.txt"\ncontent = "one"\n'
    steps = f'[[task.step]]\nrun = "echo hi"\ntimes = 3\n{write}{write}{write.replace("one", "two")}'
    _, rows, _ = _play(tmp_path, _script(steps).plan(agent_task()))
    assert [row["seq"] for row in rows] == [1, 2, 3, 4, 5, 6]
    calls = [(row["name"], row["args"], row["exit"], row["result_sha256"]) for row in rows]
    assert calls[0] == calls[1] == calls[2]
    assert calls[3] == calls[4] != calls[5]


def test_a_process_left_in_the_background_does_not_hold_the_script(tmp_path):
    done, rows, _ = _play(tmp_path, _script('[[task.step]]\nrun = "sleep 20 & echo $!"\n').plan(agent_task()))
    subprocess.run(["kill", done.stdout.split()[-1]], check=True)
    assert rows[0]["t_ms"] < 15_000


def test_a_task_that_the_script_does_not_name_is_left_alone():
    script = Script(Setup(script='schema_version = 1\n[[task]]\nid = "other"\n[[task.step]]\nrun = "true"\n'))
    assert script.plan(agent_task()).argv == ()


def test_the_oracle_applies_gold_of_any_bytes(tmp_path):
    gold = b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\xff\n+\xfe\n"
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "x").write_bytes(b"\xff\n")
    done, _, names = _play(tmp_path, Oracle(Setup(python=sys.executable)).plan(agent_task(gold=gold)))
    assert done.returncode == 0, done.stderr
    assert (names["/work"] / "x").read_bytes() == b"\xfe\n"


def test_the_oracle_asks_for_what_is_missing(tmp_path):
    _, rows, names = _play(tmp_path, Oracle(Setup(python=sys.executable)).plan(agent_task(control="must_ask")))
    assert "rates.csv" in (names["/out"] / "ask.md").read_text()
    assert [row["name"] for row in rows] == ["ask"]


def test_the_oracle_leaves_a_task_without_gold_alone():
    assert Oracle().plan(agent_task()).argv == ()
    assert Oracle().plan(agent_task(control="noop_must_stay_green")).argv == ()
