"""Providers behind a proxy: pages in the place of errors, redirects, a key that expires, a refusal that takes its time."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from denominator.pipeline.results import judge_run
from denominator.records.rows import AttemptRow
from denominator.testing.scripted_server import MODEL
from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASK = "double-it"
# Asks until it is refused, three times at most, and ends as it was refused.
AGENT = """
import json, os, sys, urllib.request
mode = sys.argv[1]
head = {"Authorization": "Bearer " + os.environ["DENOMINATOR_MODEL_TOKEN"], "Content-Type": "application/json"}
for turn in range(3):
    body = json.dumps({"model": os.environ["DENOMINATOR_MODEL"], "messages": [{"role": "user", "content": mode}] * (turn + 1)})
    request = urllib.request.Request(os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions", body.encode(), head)
    try:
        urllib.request.urlopen(request).read()
    except Exception as error:
        sys.exit(f"refused: {error}")
"""
PAGE = b"<html><body>a page of the proxy in front</body></html>"
SLOW_S = 1.5
MODES: Mapping[str, tuple[int, int, str, str, str]] = {
    # mode: status, answers before it, outcome, origin, reason
    "key": (401, 0, "unscoreable", "HARNESS", "provider_error"),
    "address": (404, 0, "unscoreable", "HARNESS", "provider_error"),
    "moved": (308, 0, "unscoreable", "HARNESS", "provider_error"),
    "expired": (401, 1, "unscoreable", "HARNESS", "provider_error"),
    "wrong": (404, 1, "fail", "MODEL", ""),
    "gateway": (502, 0, "unscoreable", "INFRA", "provider_error"),
    "slow": (503, 0, "unscoreable", "INFRA", "provider_error"),
}


class Front(BaseHTTPRequestHandler):
    """Answers as the first message says, then with a page."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        messages = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
        mode = messages[0]["content"]
        status, answers, *_ = MODES[mode]
        if mode == "slow":
            time.sleep(SLOW_S)
        if len(messages) <= answers:
            said = {"role": "assistant", "content": "so"}
            usage = {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}
            choice = {"index": 0, "message": said, "finish_reason": "stop"}
            self._send(
                200, json.dumps({"model": MODEL, "choices": [choice], "usage": usage}).encode(), "application/json"
            )
        else:
            self._send(status, PAGE, "text/html")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))), ("Location", "/elsewhere")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def front() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Front)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


Judged = tuple[AttemptRow, Mapping[str, str]]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Judged]:
    folder = tmp_path_factory.mktemp("pages")
    runs.make_pack(folder, TASK)
    (folder / "agent").mkdir(mode=0o755)
    (folder / "agent" / "ask.py").write_text(AGENT)
    arms = [
        {
            "label": mode, "agent": "command", "command": ["{python}", "/opt/agent/ask.py", mode],
            "mounts": [f"{folder}/agent=/opt/agent"], "env": {"ADDRESS": "{model_url}"},
        }
        for mode in MODES
    ]  # fmt: skip
    with front() as url:
        text = runs.envelope(arms, budget={"tokens": 100_000}, sandbox={"network": "gateway"})
        (folder / "envelope.toml").write_text(runs.with_model(text, url))
        done = runs.cli(folder, "run", "envelope.toml", "--run-id", "p", env={"RUN_PROVIDER_KEY": "sk-none-0123456789"})
    assert done.code in (0, 1), done.err
    return {mode: judged(folder, f"p-{mode}") for mode in MODES}


def judged(folder: Path, run_id: str) -> Judged:
    result = judge_run(runs.opened(folder, run_id))
    (row,) = result.ledger.rows
    return row, {label.axis: label.value for label in result.judged.labels if label.key == row.key}


@pytest.mark.parametrize("mode", MODES)
def test_a_page_means_what_its_status_means(ended: Mapping[str, Judged], mode: str) -> None:
    said = ended[mode][1]
    _, _, *expected = MODES[mode]
    assert [said["outcome"], said["origin"], said.get("reason", "")] == expected


def test_a_refusal_that_took_its_time_is_no_working_time_even_of_an_agent_that_ends_on_it(
    ended: Mapping[str, Judged],
) -> None:
    row, _ = ended["slow"]
    assert isinstance(row.paused_ms, int) and isinstance(row.working_ms, int) and isinstance(row.agent_ms, int)
    assert row.paused_ms >= SLOW_S * 1000
    assert row.working_ms == row.agent_ms - row.paused_ms
