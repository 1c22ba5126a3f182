"""The bench against the replay server: one scripted fault per model name, everything else a conformant endpoint."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from e2e.cli_lab import Said
from warm import denominator

DATA = Path(__file__).resolve().parents[1] / "data" / "probe"
BEHAVIOURS = DATA / "behaviours"
CONFORMANT = "conformant"
LIKE_KEYS = ("response_format", "tools", "logprobs", "stream")


@cache
def behaviours(folder: Path = BEHAVIOURS) -> Mapping[str, Mapping[str, Any]]:
    """Every scripted fault by its id."""
    found = (json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json")))
    return {one["id"]: one for one in found}


@cache
def server_module() -> Any:
    """The server's own code: what it takes for a matching request."""
    spec = importlib.util.spec_from_file_location("replay_server", DATA / "replay_server.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def replaying(folder: Path = BEHAVIOURS, scale: str = "1.0") -> Iterator[str]:
    """A replay server of its own on loopback; gives its base address, with /v1."""
    command = [
        sys.executable,
        str(DATA / "replay_server.py"),
        "--port",
        "0",
        "--behaviours",
        str(folder),
        "--scale",
        scale,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield line.rsplit(" ", 1)[1].strip()
        finally:
            process.kill()


def reset(url: str) -> None:
    """Scripted sequences begin anew."""
    root = url.removesuffix("/v1")
    urllib.request.urlopen(urllib.request.Request(f"{root}/_reset", data=b"{}", method="POST"), timeout=10).read()


def log(url: str) -> list[Mapping[str, Any]]:
    """What the server received."""
    with urllib.request.urlopen(url.removesuffix("/v1") + "/_log", timeout=10) as answer:
        return json.loads(answer.read())


@dataclass(frozen=True)
class Probe:
    """A folder with fixture and envelope, and the runs in it."""

    folder: Path
    url: str

    def say(self, *words: str, code: int | None = 0, env: Mapping[str, str] | None = None) -> Said:
        """One command of the bench; `code` None takes any."""
        command = denominator(
            ["probe", *words],
            cwd=self.folder,
            env=os.environ | (env or {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        out, err = command.communicate(timeout=180)
        assert "Traceback" not in err, err
        assert code is None or command.returncode == code, (command.returncode, out, err)
        return Said(command.returncode, out, err)


def wire_of(case: Mapping[str, Any], mode: str) -> bytes:
    """The request of a fixture's case, as the bench sends it."""
    from denominator.probe.asking import request_body
    from denominator.records.probes import Case
    from denominator.wire.codec import from_json

    return request_body(from_json(Case, case), mode, CONFORMANT)


def modes_of(case: Mapping[str, Any]) -> tuple[str, ...]:
    mode = case.get("mode", "plain")
    return ("plain", "stream") if mode == "both" else (mode,)


def meant(case: Mapping[str, Any], rule: Mapping[str, Any]) -> bool:
    """Would the server answer this case by this rule?"""
    module = server_module()
    for mode in modes_of(case):
        raw = wire_of(case, mode)
        request, bad = module.validate(raw)
        if module.matches(rule, request, raw, bad is not None):
            return True
    return False


def case_for(fixture: list[dict[str, Any]], behaviour: Mapping[str, Any]) -> dict[str, Any]:
    """The case of a fixture that is most like the request that a behaviour was written for."""
    wanted = behaviour["request"].get("body") or {}
    both = len({json.dumps(rule.get("when", {})) for rule in behaviour.get("rules", ())}) > 1
    fitting = [case for case in fixture if meant(case, behaviour["when"])]
    assert fitting, f"no case of the fixture is asked as {behaviour['id']} wants: {behaviour['when']}"
    return max(fitting, key=lambda case: _likeness(case, wanted, both))


def _likeness(case: Mapping[str, Any], wanted: Mapping[str, Any], both: bool) -> tuple[int, ...]:
    if case["kind"] == "malformed":
        return (0, 0, 0, 0)
    sent = json.loads(wire_of(case, modes_of(case)[0]))
    same = sum(bool(sent.get(key)) == bool(wanted.get(key)) for key in LIKE_KEYS)
    form = (sent.get("response_format") or {}).get("type") == (wanted.get("response_format") or {}).get("type")
    words = sent["messages"] == wanted.get("messages")
    return (
        (case.get("mode") == "both") == both,
        words,
        same + form,
        sent.get("max_tokens") == wanted.get("max_tokens"),
    )
