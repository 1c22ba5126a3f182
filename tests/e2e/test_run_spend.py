"""The spend of a real run: what its gateway counted, and the same estimated from the texts that it kept."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from denominator.testing.scripted_server import ScriptedServer
from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASKS = ("clamp-low", "count-words")
ASK = """
import json, os, subprocess, urllib.request
for turn in range(2):
    messages = [{"role": "user", "content": "mend what is broken"}, *[{"role": "assistant", "content": ""}] * turn]
    body = json.dumps({"model": os.environ["DENOMINATOR_MODEL"], "messages": messages}).encode()
    head = {"Authorization": "Bearer " + os.environ["DENOMINATOR_MODEL_TOKEN"], "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions", body, head)
    call = json.load(urllib.request.urlopen(request))["choices"][0]["message"]["tool_calls"][0]
    subprocess.run(json.loads(call["function"]["arguments"])["command"], shell=True, cwd="/work")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spend")
    runs.make_pack(folder, *TASKS)
    (folder / "agent").mkdir(mode=0o755)
    (folder / "agent" / "ask.py").write_text(ASK)
    arm = {
        "label": "asker", "agent": "command", "command": ["{python}", "/opt/agent/ask.py"],
        "mounts": [f"{folder}/agent=/opt/agent"], "env": {"ADDRESS": "{model_url}"},
    }  # fmt: skip
    mend = "; ".join(f"({runs.SOLVE[task]}) 2>/dev/null" for task in TASKS)
    with ScriptedServer(["echo seen", mend]) as server:
        text = runs.envelope([arm], budget={"tokens": 100_000}, sandbox={"network": "gateway"})
        (folder / "envelope.toml").write_text(runs.with_model(text, server.url, max_output_tokens=500))
        done = runs.cli(folder, "run", "envelope.toml", "--run-id", "m", env={"RUN_PROVIDER_KEY": "sk-of-a-test"})
    assert done.code in (0, 1), done.err
    return folder


def spend(folder: Path, *args: str) -> dict[str, Any]:
    done = runs.cli(folder, "spend", "m", *args, "--json")
    assert done.code in (0, 1), done.err
    (arm,) = done.json["spend"]["arms"]
    found: dict[str, Any] = arm
    return found


def total(arm: dict[str, Any]) -> int:
    return int(sum(part["known"] for part in arm["parts"] if part["name"] in ("prompt", "completion")))


def test_what_the_gateway_counted_is_the_account(folder: Path) -> None:
    arm, rows = spend(folder), runs.ledger_of(folder, "m").rows
    assert (arm["calls"]["made"], arm["calls"]["unknown"], arm["calls"]["replayed_calls"]) == (4, [], 0)
    assert (arm["sources"], arm["conventions"]) == ([["provider", 4]], [["openai_chat", 4]])
    prompt, completion = (sum(getattr(row.usage, name) for row in rows) for name in ("prompt", "completion"))
    assert total(arm) == prompt + completion > 0


def test_an_estimate_is_of_the_kept_texts_and_named(folder: Path) -> None:
    arm = spend(folder, "--estimate")
    assert (arm["sources"], arm["estimator"]) == ([["estimated:pieces@1", 4]], "estimated:pieces@1")
    assert total(arm) > 0
    assert total(arm) != total(spend(folder))


def test_an_import_beside_it_is_estimated_neither(folder: Path) -> None:
    (folder / "rows.jsonl").write_text('{"task_id": "clamp-low", "attempt": 1, "prompt_tokens": 5, "accepted": true}\n')
    done = runs.cli(folder, "spend", "m", "rows.jsonl", "--estimate")
    assert done.code == 2
    assert "no arm is estimated" in done.err
