"""A small agent of our own that does what a model says, the envelope that runs it, and when two ledgers are the same."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, CallRow, Ledger
from denominator.wire.codec import to_json
from e2e import runs

KEY = "sk-canary-tape-0123456789abcdef"
AGENT = """
import json, os, subprocess, sys, time, urllib.request
URL = os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions"
HEAD = {"Authorization": "Bearer " + os.environ["DENOMINATOR_MODEL_TOKEN"], "Content-Type": "application/json"}
EXTRA = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}

def ask(messages, stream):
    body = {"model": os.environ["DENOMINATOR_MODEL"], "messages": messages, "max_tokens": 64, "temperature": 0.25, "stream": stream, **EXTRA}
    if "at" in body:
        body["at"] = str(time.time_ns())
    if stream:
        body["stream_options"] = {"include_usage": True}
    with urllib.request.urlopen(urllib.request.Request(URL, json.dumps(body).encode(), HEAD)) as answer:
        return heard(answer) if stream else json.load(answer)["choices"][0]["message"]

def heard(lines):
    said, calls = "", {}
    for line in lines:
        if not line.startswith(b"data: ") or line.strip() == b"data: [DONE]":
            continue
        for choice in json.loads(line[6:])["choices"]:
            said += choice["delta"].get("content") or ""
            for call in choice["delta"].get("tool_calls", []):
                kept = calls.setdefault(call["index"], {"id": call.get("id"), "type": "function", "function": {"name": "bash", "arguments": ""}})
                kept["function"]["arguments"] += call["function"]["arguments"]
    return {"role": "assistant", "content": said, **({"tool_calls": [calls[n] for n in sorted(calls)]} if calls else {})}

messages = [{"role": "user", "content": open("/in/prompt.md").read()}]
for turn in range(6):
    message = ask(messages, turn % 2 == 1)
    messages.append(message)
    for call in message.get("tool_calls", []):
        command = json.loads(call["function"]["arguments"])["command"]
        done = subprocess.run(command, shell=True, cwd="/work", capture_output=True, text=True)
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": done.stdout + done.stderr})
    if not message.get("tool_calls"):
        break
"""
TIMES = frozenset(
    (
        "started_at", "queue_wait_ms", "setup_ms", "agent_ms", "grade_ms", "wall_ms", "paused_ms", "working_ms",
        "time_to_first_green_ms", "first_byte_ms", "first_content_ms", "last_byte_ms",
    )
)  # fmt: skip
ASIDE = TIMES | {"incarnations", "incarnation", "cold_start", "first_unrecovered", "report_sha", "reserved_tokens"}
"""Times, incarnations, which worker came first, what holds a time or a place in the journal inside, and what was held
back before a call: it is less where the result of the call before it had come already."""
OF_PLAYING = frozenset(("played", "cassette"))


def install(folder: Path) -> None:
    (folder / "agent").mkdir(mode=0o755)
    (folder / "agent" / "do.py").write_text(AGENT)


def envelope(
    folder: Path, url: str, *more: str, gateway: str = "", pack: str = "pack", **tables: dict[str, Any]
) -> str:
    """The envelope of the agent; `more` is its argument, `gateway` the lines under [gateway]."""
    arm = {
        "label": "doer", "agent": "command", "command": ["{python}", "/opt/agent/do.py", *more],
        "mounts": [f"{folder}/agent=/opt/agent"], "env": {"ADDRESS": "{model_url}"},
    }  # fmt: skip
    tables = {"budget": {"tokens": 1_000_000}, "sandbox": {"network": "gateway"}, **tables}
    text = runs.with_model(runs.envelope([arm], pack=pack, **tables), url, temperature="0.25")
    return text + f"[gateway]\n{gateway}"


def same(left: Ledger, right: Ledger, *, but: frozenset[str] = frozenset()) -> None:
    """Are two ledgers the same (DESIGN: words), rows and calls? `but` names further fields that may differ."""
    assert [told(row, but) for row in left.rows] == [told(row, but) for row in right.rows]
    assert [told(call, but) for call in left.calls] == [told(call, but) for call in right.calls]


def told(row: AttemptRow | CallRow, but: frozenset[str]) -> Mapping[str, Any]:
    plain = replace(row, key=AttemptKey("", row.key.task_id, row.key.repeat, row.key.attempt))
    found = to_json(plain)
    assert isinstance(found, dict)
    return {name: value for name, value in found.items() if name not in ASIDE | but}


def text_of(messages: Sequence[Mapping[str, Any]]) -> str:
    """What a person first asked."""
    return str(messages[0]["content"])


def logged(folder: Path, run_id: str) -> list[str]:
    log = folder / "runs" / run_id / "run.log"
    return [json.loads(line)["text"] for line in log.read_text().splitlines()]
