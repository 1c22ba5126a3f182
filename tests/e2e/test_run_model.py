"""An agent that calls a model: its calls reach the ledger through the relay, the key reaches nobody."""

from __future__ import annotations

import base64
import contextlib
import gzip
import json
import lzma
import os
import shutil
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from denominator.records.rows import CallRow
from denominator.testing.scripted_server import MODEL, ScriptedServer
from denominator.wire.codec import from_json, loads
from e2e import runs
from kept import cache_home

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
for name, value in os.environ.items():
    print("env", name, value)
for pid in [name for name in os.listdir("/proc") if name.isdigit()]:
    print("process", pid, open("/proc/" + pid + "/cmdline", "rb").read())
    try:
        print("environ", pid, open("/proc/" + pid + "/environ", "rb").read())
    except OSError as error:
        print("environ", pid, "refused", error.errno)
"""
PROXY = b"denominator.adapters.gateway.proxy"


class Watcher:
    """Looks at the runner and its gateway while they run: command lines, and what the gateway's environment holds."""

    def __init__(self) -> None:
        self.runner = 0
        self.folder = Path()
        self.files: dict[str, bytes] = {}
        self.lines: dict[int, bytes] = {}
        self.environ: dict[int, bytes] = {}

    def look(self, _number: int, _request: Mapping[str, Any]) -> None:
        for path in self.folder.glob("runs/m/journal*"):
            self.files[f"{path.name} in the middle of a run"] = path.read_bytes()
        for path in Path("/proc").glob("[0-9]*"):
            try:
                line = (path / "cmdline").read_bytes()
                parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
            pid = int(path.name)
            if pid == self.runner or parent == self.runner:
                self.lines[pid] = line
                if PROXY in line and os.geteuid() == 0:
                    self.environ[pid] = (path / "environ").read_bytes()


@pytest.fixture(scope="module")
def watcher() -> Watcher:
    return Watcher()


@pytest.fixture(scope="module")
def said() -> list[str]:
    """What the command line printed."""
    return []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, watcher: Watcher, said: list[str]) -> Path:
    folder = tmp_path_factory.mktemp("model")
    runs.make_pack(folder, TASK)
    (folder / "agent").mkdir(mode=0o755)
    (folder / "agent" / "ask.py").write_text(ASK)
    arm = {
        "label": "asker", "agent": "command", "command": ["{python}", "/opt/agent/ask.py"],
        "mounts": [f"{folder}/agent=/opt/agent"], "env": {"ADDRESS": "{model_url}"},
    }  # fmt: skip
    watcher.folder = folder
    with ScriptedServer(["echo seen", runs.SOLVE[TASK]], watcher.look) as server:
        text = runs.envelope([arm], budget={"tokens": 100_000}, sandbox={"network": "gateway"}, run={"warmup_tasks": 1})
        (folder / "envelope.toml").write_text(runs.with_model(text, server.url))
        process = runs.start(folder, "run", "envelope.toml", "--run-id", "m", env={"RUN_PROVIDER_KEY": KEY})
        watcher.runner = process.pid
        done = runs.Done(process)
        said += [done.out, done.err]
        assert any(KEY in str(headers) for headers in server.headers), "the key did not reach the provider"
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


def plain(data: bytes) -> bytes:
    """The bytes, and what they hold when they are packed."""
    for unpack in (gzip.decompress, zlib.decompress, lzma.decompress):
        with contextlib.suppress(OSError, EOFError, zlib.error, lzma.LZMAError):
            return data + unpack(data)
    return data


def left_behind(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Everything that a run leaves: its folder (journal and its log of writes included), the cache, unpacked."""
    for root in (folder / "runs", Path(cache_home(folder))):
        for path in root.rglob("*"):
            if path.is_file():
                yield str(path), plain(path.read_bytes())


def test_the_key_is_nowhere_and_the_sandbox_names_no_place_of_ours(
    folder: Path, watcher: Watcher, said: list[str]
) -> None:
    forms = [KEY.encode(), base64.b64encode(KEY.encode()), KEY.encode().hex().encode(), KEY.encode()[::-1]]
    found = dict(left_behind(folder))
    assert any(name.endswith("journal.db") for name in found) and any("/blobs/" in name for name in found)
    run = runs.opened(folder, "m")
    bodies = [call.request_sha256 for call in run.journal.calls()]
    assert all(isinstance(sha, str) and b"messages" in run.blobs.get(sha) for sha in bodies), "bodies are kept"
    assert any(name.startswith("journal.db-wal") for name in watcher.files)
    places = [
        *found.items(),
        *watcher.files.items(),
        *((f"command line of {pid}", line) for pid, line in watcher.lines.items()),
    ]
    places += [(f"blob {sha}", run.blobs.get(sha)) for sha in bodies if isinstance(sha, str)]
    places += [("printed", text.encode()) for text in said]
    for where, data in places:
        assert not any(form in data for form in forms), where
    seen = "".join(runs.texts(run, "stdout").values())
    assert "/run/denominator" in seen
    if os.geteuid() == 0:
        assert "/runs/" not in seen.replace(f"{folder}/agent", "")


def test_the_gateway_knows_the_key_by_its_name_and_nothing_else_of_ours(watcher: Watcher) -> None:
    proxies = [line for line in watcher.lines.values() if PROXY in line]
    assert len(proxies) == 1, "one process a run"
    for environ in watcher.environ.values():
        names = {entry.partition(b"=")[0] for entry in environ.split(b"\0") if entry}
        assert b"RUN_PROVIDER_KEY" in names
        assert names <= {b"RUN_PROVIDER_KEY", b"PYTHONPATH", b"SSL_CERT_FILE", b"SSL_CERT_DIR"}
        assert b"harness-secret" not in environ


def test_the_agent_sees_no_process_and_no_variable_of_ours(folder: Path, watcher: Watcher) -> None:
    seen = runs.texts(runs.opened(folder, "m"), "stdout")[TASK, 1]
    assert PROXY.decode() not in seen
    assert KEY not in seen and "RUN_PROVIDER_KEY" not in seen and "harness-secret" not in seen
    inside = [int(line.split()[1]) for line in seen.splitlines() if line.startswith("process ")]
    assert inside and max(inside) < 100, "the agent is in a process namespace of its own"
    (proxy,) = [pid for pid, line in watcher.lines.items() if PROXY in line]
    assert proxy not in inside or proxy < 100


def test_the_log_says_nothing_of_the_model(folder: Path) -> None:
    log = [json.loads(line) for line in (folder / "runs" / "m" / "run.log").read_text().splitlines()]
    assert [line["text"] for line in log] == [f"{TASK} repeat {n} attempt 1: graded" for n in (0, 1)]
