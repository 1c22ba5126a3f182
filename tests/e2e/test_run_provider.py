"""A provider that fails for real on loopback: whose ending an attempt is, from the recorded calls."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from denominator.pipeline.results import judge_run
from denominator.records.rows import AttemptRow
from denominator.testing.scripted_server import Fault, ScriptedServer
from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASK = "double-it"
# Asks twice at most, retries each once, does what it is told, and ends with 1 when the model fails it.
AGENT = """
import json, os, subprocess, sys, urllib.error, urllib.request
mode = sys.argv[1]
def ask(turn):
    messages = [{"role": "user", "content": mode}, *[{"role": "assistant", "content": ""}] * turn]
    body = json.dumps({"model": os.environ["DENOMINATOR_MODEL"], "messages": messages, "stream": mode == "cut"}).encode()
    head = {"Authorization": "Bearer " + os.environ["DENOMINATOR_MODEL_TOKEN"], "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions", body, head)
    try:
        return json.load(urllib.request.urlopen(request))
    except (urllib.error.URLError, ValueError, ConnectionError, OSError) as error:
        print("Connection reset by peer, HTTP 429, quota exceeded:", error)
        return None
for turn in range(2):
    answer = ask(turn) or ask(turn)
    if answer is None:
        sys.exit(0 if mode == "late" else 1)
    for call in answer["choices"][0]["message"].get("tool_calls", []):
        subprocess.run(json.loads(call["function"]["arguments"])["command"], shell=True, cwd="/work")
"""
LIMITED = Fault(429, {"error": {"type": "rate_limit_error"}}, {"Retry-After": "1"})
OUTGROWN = Fault(400, {"error": {"type": "invalid_request_error", "code": "context_length_exceeded"}})
EVENTS = ('{"choices": [{"index": 0, "delta": {"content": "so"}}]}', '{"error": {"type": "overloaded_error"}}')
MODES: Mapping[str, tuple[str, str, str]] = {
    # mode: outcome, origin, reason
    "limited": ("unscoreable", "INFRA", "provider_rate_limit"),
    "spent": ("unscoreable", "INFRA", "quota_exhausted"),
    "down": ("unscoreable", "INFRA", "provider_error"),
    "cut": ("unscoreable", "INFRA", "provider_stream_error"),
    "key": ("unscoreable", "HARNESS", "provider_error"),
    "window": ("unscoreable", "HARNESS", "sandbox_config"),
    "outgrown": ("fail", "MODEL", ""),
    "recovered": ("pass", "MODEL", ""),
    "late": ("pass", "MODEL", ""),
    "own": ("fail", "MODEL", ""),
}


def fault(_number: int, request: Mapping[str, Any]) -> Fault | None:
    """What the server answers, by the mode that the agent writes into its first message."""
    turn, mode = len(request["messages"]) - 1, request["messages"][0]["content"]
    always = {
        "limited": LIMITED,
        "spent": Fault(429, {"error": {"type": "insufficient_quota", "code": "insufficient_quota"}}),
        "down": Fault(503, {"error": {"type": "service_unavailable"}}),
        "cut": Fault(200, events=EVENTS),
        "key": Fault(401, {"error": {"type": "authentication_error"}}),
        "window": OUTGROWN,
    }
    later = {"outgrown": OUTGROWN, "late": LIMITED, "own": Fault(404, {"error": {"type": "model_not_found"}})}
    if mode == "recovered":
        return LIMITED if ONCE.setdefault(mode, True) and not ONCE.update({mode: False}) else None
    return always.get(mode) or (later.get(mode) if turn else None)


ONCE: dict[str, bool] = {}


Judged = tuple[AttemptRow, Mapping[str, str]]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Judged]:
    folder = tmp_path_factory.mktemp("provider")
    runs.make_pack(folder, TASK)
    (folder / "agent").mkdir(mode=0o755)
    (folder / "agent" / "ask.py").write_text(AGENT)

    def commands(request: Mapping[str, Any]) -> list[str]:
        solves = request["messages"][0]["content"] in ("recovered", "late")
        return [runs.SOLVE[TASK] if solves else "echo '# tried' >> twice.py", "true"]

    arms = [
        {
            "label": mode, "agent": "command", "command": ["{python}", "/opt/agent/ask.py", mode],
            "mounts": [f"{folder}/agent=/opt/agent"], "env": {"ADDRESS": "{model_url}"},
        }
        for mode in MODES
    ]  # fmt: skip
    with ScriptedServer(commands, fault) as server:
        text = runs.envelope(arms, budget={"tokens": 100_000}, sandbox={"network": "gateway"})
        (folder / "envelope.toml").write_text(runs.with_model(text, server.url))
        done = runs.cli(folder, "run", "envelope.toml", "--run-id", "p", env={"RUN_PROVIDER_KEY": "sk-none-0123456789"})
    assert done.code in (0, 1), done.err
    return {mode: judged(folder, run) for mode in MODES for run in runs_of(folder, mode)}


def runs_of(folder: Path, mode: str) -> list[str]:
    found = [path.name for path in (folder / "runs").iterdir() if path.is_dir() and path.name.endswith(f"-{mode}")]
    assert len(found) == 1, sorted(path.name for path in (folder / "runs").iterdir())
    return found


def judged(folder: Path, run_id: str) -> Judged:
    result = judge_run(runs.opened(folder, run_id))
    (row,) = result.ledger.rows
    return row, {label.axis: label.value for label in result.judged.labels if label.key == row.key}


@pytest.mark.parametrize("mode", MODES)
def test_whose_ending_it_is(ended: Mapping[str, Judged], mode: str) -> None:
    said = ended[mode][1]
    assert (said["outcome"], said["origin"], said.get("reason", "")) == MODES[mode]


def test_a_recovered_failure_is_a_fact_of_the_row(ended: Mapping[str, Judged]) -> None:
    rows = {mode: row for mode, (row, _) in ended.items()}
    assert rows["recovered"].provider_retries == 1
    assert rows["recovered"].invalid_calls == {"http_429": 1}
    assert rows["limited"].stop_reason == "transport"
    assert rows["outgrown"].killed_by == "budget_tokens"
