"""Runs whose agents call a scripted model: one agent program with a word for what it does, one envelope a situation."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from denominator.pipeline.results import judge_run
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow
from denominator.run.spending import Spending, caps_of
from denominator.testing.scripted_server import Fault, ScriptedServer
from e2e import runs

KEY_ENV = "RUN_PROVIDER_KEY"
KEY = "sk-none-0123456789"
AGENT = """
import json, os, subprocess, sys, time, urllib.error, urllib.request
mode = sys.argv[1]
task = [line for line in open("/in/prompt.md")][0].strip()
messages = [{"role": "user", "content": mode + " " + task}]
def ask(more=""):
    body = {"model": os.environ["DENOMINATOR_MODEL"], "messages": [*messages, *([{"role": "user", "content": more}] if more else [])]}
    body["max_tokens"] = 64
    head = {"Authorization": "Bearer " + os.environ["DENOMINATOR_MODEL_TOKEN"], "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions", json.dumps(body).encode(), head)
    try:
        answer = json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as error:
        said = error.read().decode()
        print("refused", error.code, said, flush=True)
        return error
    messages.append(answer["choices"][0]["message"])
    for call in messages[-1].get("tool_calls", []):
        subprocess.run(json.loads(call["function"]["arguments"])["command"], shell=True, cwd="/work")
    return None
if mode == "big" or mode == "stubborn":
    ask()
    refused = ask("x" * 4000)
    if mode == "stubborn":
        time.sleep(60)
elif mode == "many":
    while ask() is None and len(messages) < 9:
        pass
elif mode == "patient":
    while (error := ask()) is not None:
        time.sleep(int(error.headers["Retry-After"]))
elif mode == "slow":
    ask()
    time.sleep(60)
elif mode == "stream":
    body = json.dumps({"model": os.environ["DENOMINATOR_MODEL"], "messages": messages, "stream": True, "max_tokens": 64}).encode()
    head = {"Authorization": "Bearer " + os.environ["DENOMINATOR_MODEL_TOKEN"], "Content-Type": "application/json"}
    for line in urllib.request.urlopen(urllib.request.Request(os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions", body, head)):
        print(line, flush=True)
elif mode == "leaver":
    body = json.dumps({"model": os.environ["DENOMINATOR_MODEL"], "messages": messages, "stream": True, "max_tokens": 64}).encode()
    head = {"Authorization": "Bearer " + os.environ["DENOMINATOR_MODEL_TOKEN"], "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions", body, head)) as answer:
        answer.readline()
    time.sleep(1)
    ask("x" * 900)
elif mode == "unlucky":
    tried = 0
    while tried < 6 and ask("x" * 500) is not None:
        tried += 1
elif mode == "once":
    sys.exit(1 if ask() else 0)
"""


def situation(folder: Path, server: ScriptedServer, modes: Sequence[str], tasks: Sequence[str], **tables: Any) -> None:
    """A pack, the agent, and an envelope with one arm a mode; its pack, agent and cache stay those of the first call."""
    if not (folder / "pack").exists():
        runs.make_pack(folder, *tasks)
        (folder / "agent").mkdir(mode=0o755)
        (folder / "agent" / "ask.py").write_text(AGENT)
    arms = [
        {
            "label": mode, "agent": "command", "command": ["{python}", "/opt/agent/ask.py", mode],
            "mounts": [f"{folder}/agent=/opt/agent"], "env": {"ADDRESS": "{model_url}"},
        }
        for mode in modes
    ]  # fmt: skip
    tables["budget"] = {"tokens": 1_000_000, **tables.get("budget", {})}
    text = runs.envelope(arms, **{**tables, "sandbox": {"network": "gateway"}})
    (folder / "envelope.toml").write_text(runs.with_model(text, server.url))


def run(folder: Path, run_id: str) -> runs.Done:
    return runs.cli(folder, "run", "envelope.toml", "--run-id", run_id, env={KEY_ENV: KEY})


def resume(folder: Path, run_id: str) -> runs.Done:
    return runs.cli(folder, "resume", run_id, env={KEY_ENV: KEY})


def commands(request: Mapping[str, Any]) -> list[str]:
    """What the model tells the agent: the answer to the task that its prompt names, then nothing."""
    asked = str(request["messages"][0]["content"])
    found = [solve for word, solve in SOLVES.items() if word in asked]
    return [found[0] if found else "true"] * 12


SOLVES: dict[str, str] = {}


def judged(folder: Path, run_id: str) -> dict[str, tuple[AttemptRow, dict[str, str]]]:
    """Rows of a run and what the labels say, by task."""
    result = judge_run(runs.opened(folder, run_id))
    return {
        row.key.task_id: (row, {label.axis: label.value for label in result.judged.labels if label.key == row.key})
        for row in result.ledger.rows
    }


def labels_of(folder: Path, run_id: str, key: AttemptKey) -> dict[str, str]:
    """What the labels say of one attempt."""
    result = judge_run(runs.opened(folder, run_id))
    return {label.axis: label.value for label in result.judged.labels if label.key == key}


def spending_of(folder: Path, run_id: str) -> Spending:
    """The accounts of a run, as a resumed runner would fold them."""
    run = runs.opened(folder, run_id)
    return Spending(caps_of(run.seal.envelope), run.journal.calls())


class HeldEvents(tuple[str, ...]):
    """Stream events (`Fault.events`) of which only the first is sent until somebody lets go."""

    begun: threading.Event
    held: threading.Event

    def __iter__(self) -> Iterator[str]:
        for number, event in enumerate(super().__iter__()):
            if number == 1:
                self.begun.set()
                self.held.wait(60)
            yield event


def held_stream(begun: threading.Event, held: threading.Event) -> Fault:
    """A stream that begins and then stands still."""
    events = HeldEvents(('{"choices": [{"index": 0, "delta": {"content": "so"}}]}', '{"choices": []}'))
    events.begun, events.held = begun, held
    return Fault(200, events=events)
