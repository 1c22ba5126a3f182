"""An agent that calls a model: its calls reach the ledger through the relay, the key reaches nobody."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from denominator.records.rows import CallRow
from denominator.testing.scripted_server import MODEL, ScriptedServer
from denominator.wire.codec import from_json, loads
from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASK = "clamp-low"
KEY = "sk-canary-run-0123456789abcdef"
ASK = """
import json, os, subprocess, urllib.request
for turn in range(2):
    messages = [{"role": "user", "content": "go"}, *[{"role": "assistant", "content": ""}] * turn]
    body = json.dumps({"model": os.environ["DENOMINATOR_MODEL"], "messages": messages}).encode()
    head = {"Authorization": "Bearer " + os.environ["DENOMINATOR_MODEL_TOKEN"], "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions", body, head)
    call = json.load(urllib.request.urlopen(request))["choices"][0]["message"]["tool_calls"][0]
    subprocess.run(json.loads(call["function"]["arguments"])["command"], shell=True, cwd="/work")
print(open("/proc/self/mountinfo").read())
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    runs.make_pack(folder, TASK)
    (folder / "agent").mkdir(mode=0o755)
    (folder / "agent" / "ask.py").write_text(ASK)
    arm = {
        "label": "asker", "agent": "command", "command": ["{python}", "/opt/agent/ask.py"],
        "mounts": [f"{folder}/agent=/opt/agent"], "env": {"ADDRESS": "{model_url}"},
    }  # fmt: skip
    with ScriptedServer(["echo seen", runs.SOLVE[TASK]]) as server:
        text = runs.envelope([arm], budget={"tokens": 100_000}, sandbox={"network": "gateway"}, run={"warmup_tasks": 1})
        model = {
            "id": MODEL, "snapshot": "scripted-1-2026-11-29", "endpoint": server.url, "key_env": "RUN_PROVIDER_KEY",
            "access_class": "self_hosted", "server_class": "local", "temperature": "0.0", "seed": "none", "max_output_tokens": 64,
        }  # fmt: skip
        text = text.replace('[arm.model]\nid = "none"\n', "[arm.model]\n" + runs.lines(model))
        (folder / "envelope.toml").write_text(text)
        done = runs.cli(folder, "run", "envelope.toml", "--run-id", "m", env={"RUN_PROVIDER_KEY": KEY})
    assert done.code in (0, 1), done.err
    return folder


def test_the_calls_of_an_attempt_are_in_its_row_and_a_warm_ups_are_not(folder: Path) -> None:
    ledger = runs.ledger_of(folder, "m")
    (row,) = ledger.rows
    assert (row.stop_reason, row.usage.calls, row.usage.complete, row.provider_retries) == ("pass", 2, True, 0)
    assert row.served_models == (MODEL,)
    assert isinstance(row.usage.prompt, int) and row.usage.prompt > 0
    lines = (folder / "runs" / "m" / "calls.jsonl").read_bytes().splitlines()
    assert tuple(from_json(CallRow, loads(line)) for line in lines) == ledger.calls
    assert [(call.key.repeat, call.outcome) for call in ledger.calls] == [(1, "ok"), (1, "ok")]
    assert len(list(runs.opened(folder, "m").journal.calls())) == 4


def test_the_key_is_nowhere_and_the_sandbox_names_no_place_of_ours(folder: Path) -> None:
    for path in (folder / "runs" / "m").rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path
    run = runs.opened(folder, "m")
    seen = "".join(runs.texts(run, "stdout").values())
    assert "/run/denominator" in seen
    if os.geteuid() == 0:
        assert "/runs/" not in seen.replace(f"{folder}/agent", "")


def test_the_log_says_nothing_of_the_model(folder: Path) -> None:
    log = [json.loads(line) for line in (folder / "runs" / "m" / "run.log").read_text().splitlines()]
    assert [line["text"] for line in log] == [f"{TASK} repeat {n} attempt 1: graded" for n in (0, 1)]
