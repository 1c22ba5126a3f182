"""Real servers: llama.cpp's own with random weights, and a litellm proxy in front of it and of its own mock models.

What they break is theirs and is written down in docs/examples/endpoint-bench.md, which this test remakes
(`DENOMINATOR_WRITE=1 pytest -m e2e tests/e2e/test_probe_real.py`).
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from e2e.local_servers import TINY, litellm_models, llama_cpp
from e2e.probe_lab import Probe

pytestmark = pytest.mark.e2e
PAGE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "endpoint-bench.md"
GATEWAY = "litellm=1.108.7"


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Iterator[tuple[Path, str, str]]:
    folder = tmp_path_factory.mktemp("real")
    with llama_cpp(folder) as direct:
        models = {
            TINY: {"model": f"openai/{TINY}", "api_base": direct, "api_key": "none"},
            "mock-ok": {"model": "openai/gpt-4o-mini", "api_key": "none", "mock_response": '{"ok": true, "count": 2}'},
            "mock-429": {"model": "openai/gpt-4o-mini", "api_key": "none", "mock_response": "litellm.RateLimitError"},
        }
        with litellm_models(folder, models) as through:
            yield folder, direct, through


def probed(folder: Path, name: str, url: str, model: str, *gateway: str) -> dict[str, Any]:
    probe = Probe(folder, url)
    probe.say("init", name, "--url", url, "--model", model, *gateway)
    envelope = folder / name / "probe.toml"
    envelope.write_text(envelope.read_text("utf-8").replace("deadline_ms = 60000", "deadline_ms = 20000"), "utf-8")
    probe.say("run", f"{name}/probe.toml", "-o", f"{name}-out")
    return json.loads(probe.say("show", f"{name}-out", "--json").out)


@pytest.fixture(scope="module")
def direct(lab) -> dict[str, Any]:
    folder, url, _ = lab
    return probed(folder, "llama", url, TINY)


@pytest.fixture(scope="module")
def through(lab) -> dict[str, Any]:
    folder, _, url = lab
    return probed(folder, "proxied", url, TINY, "--gateway", GATEWAY)


def ends(document: Mapping[str, Any], group: str) -> Counter[tuple[str, str]]:
    return Counter((one["cls"], one["reason"]) for one in document["attempts"] if one["group"] == group)


def test_every_attempt_of_a_real_server_has_one_class(direct):
    assert len(direct["attempts"]) >= 72
    assert not direct["missing"]
    assert not any(one["cls"] in ("transport_error", "timeout", "stream_hang") for one in direct["attempts"])


def test_llama_cpp_shows_what_random_weights_and_its_own_rules_break(direct):
    # Garbage weights write no JSON but under a grammar, no exact text, and no tool call; the server's own contracts hold.
    assert ends(direct, "malformed")["pass", ""] > 0
    assert not any(cls == "accounting_anomaly" for cls, _ in ends(direct, "streaming"))
    assert any(cls in ("tool_call_miss", "tool_call_malformed", "schema_miss") for cls, _ in ends(direct, "tools"))


def test_the_same_endpoint_direct_and_through_the_proxy_is_no_comparison(lab, direct, through):
    folder, url, _ = lab
    said = Probe(folder, url).say("compare", "llama-out", "proxied-out", code=3)
    assert "path" in said.out + said.err
    assert not re.search(r"[0-9] of [0-9]", said.out)


def test_a_malformed_control_behind_the_proxy_tests_the_proxy(direct, through):
    assert ends(direct, "malformed") != ends(through, "malformed")


def test_mock_models_of_the_proxy_show_its_own_faults(lab):
    folder, _, url = lab
    mock = probed(folder, "mock", url, "mock-ok", "--gateway", GATEWAY)
    found = {(one["cls"], one["reason"]) for one in mock["attempts"]}
    assert ("accounting_anomaly", "stream_mismatch") in found or ("content_miss", "text_differs") in found
    assert any(one["cls"] == "error_contract" for one in mock["attempts"])


def test_a_quota_is_no_word_about_the_model(lab):
    folder, _, url = lab
    limited = probed(folder, "limited", url, "mock-429", "--gateway", GATEWAY)
    good = [one for one in limited["attempts"] if one["group"] != "malformed"]
    assert {(one["cls"], one["reason"]) for one in good} == {("http_error", "rate_limited")}
    assert not any(" of " in one and "passed" in one for one in limited["sentences"])
    said = Probe(folder, url).say("gate", "limited-out", "--for", "prototype", code=1)
    assert "probe-measures-quota" in said.out


def counts(folder: Path, url: str, name: str) -> str:
    """The histogram of a probe as the page prints it."""
    lines = Probe(folder, url).say("show", f"{name}-out").out.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("BY GROUP"))
    return "\n".join(lines[start : lines.index("", start)])


def test_the_example_is_what_the_commands_print(lab, direct, through):
    folder, url, _ = lab
    text = PAGE.read_text("utf-8")
    for name in ("llama", "proxied", "mock", "limited"):
        start, end = f"<!-- {name} -->\n```\n", "\n```\n"
        head, _, rest = text.partition(start)
        shown, _, tail = rest.partition(end)
        now = counts(folder, url, name)
        if os.environ.get("DENOMINATOR_WRITE"):
            text = head + start + now + end + tail
        else:
            assert shown == now, name
    if os.environ.get("DENOMINATOR_WRITE"):
        PAGE.write_text(text, "utf-8")
