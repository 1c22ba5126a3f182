"""Real runs in a folder of their own: small packs cut from `tests/data/packs/four`, envelopes, the command line as a process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.packs import LOCK_FILE, load_pack, make_lock
from denominator.pipeline.run import read_ledger
from denominator.pipeline.world import OpenRun
from denominator.records.rows import AttemptRow, Ledger
from denominator.testing.scripted_server import MODEL
from denominator.wire.canonical import canonical
from denominator.wiring.opening import find_run, open_run
from kept import cache_home
from warm import denominator

FOUR = Path(__file__).parents[1] / "data" / "packs" / "four"
SOLVE = {
    "clamp-low": "sed -i 's/return min(value, high)/return max(low, min(value, high))/' bounds.py",
    "count-words": """sed -i 's/split(" ")/split()/' wordy.py""",
    "double-it": "sed -i 's/return n$/return n + n/' twice.py",
    "keep-sorted": "true",
}
BUDGET = {
    "wall_s": 30, "working_s": 30, "tool_calls": 50, "attempts": 1, "repeats": 1, "incarnations_max": 3, "output_bytes": 1_000_000,
}  # fmt: skip
RETRY = {"rate_limited": 0, "server_error": 0, "timeout": 0, "infra": 0}
SANDBOX = {
    "backend": "bubblewrap", "network": "none", "memory_mb": 256, "processes": 64, "disk_mb": 64, "file_mb": 16,
}  # fmt: skip
RUN = {"concurrency": 2, "warmup_tasks": 0}
NO_MODEL = '[arm.model]\nid = "none"\n'


def make_pack(folder: Path, *tasks: str) -> Path:
    """The four-task pack with only these tasks, locked."""
    root = folder / "pack"
    shutil.copytree(FOUR, root)
    for task in (root / "tasks").iterdir():
        if task.name not in tasks:
            shutil.rmtree(task)
    if "keep-sorted" not in tasks:
        edit(root / "pack.toml", "controls_min = 1", "controls_min = 0")
    lock(root)
    return root


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, f"{old!r} is not in {path}"
    path.write_text(text.replace(old, new))


def envelope(arms: Sequence[dict[str, Any]], pack: str = "pack", **tables: dict[str, Any]) -> str:
    """An envelope of agents that call no model; `tables` change single keys (`budget={"repeats": 2}`)."""
    policy = {"on_timeout": "fail", **tables.get("policy", {})}
    parts = [
        f'schema_version = 1\nquestion = "Does the runner keep its word?"\npack = "{pack}"\ntreatment = ["agent"]\n'
    ]
    for arm in arms:
        more = {key: value for key, value in arm.items() if key != "env"}
        parts.append("[[arm]]\n" + lines({"agent_version": "1", **more}) + NO_MODEL)
        if "env" in arm:
            parts.append("[arm.env]\n" + lines(arm["env"]))
    for name, base in (
        ("budget", BUDGET), ("policy", policy), ("policy.retry", RETRY), ("sandbox", SANDBOX), ("run", RUN),
        ("ceilings", {"invalid_rate": "0.99", "infra_rate": "0.99"}), ("metric", {"headline": "headline_pass_rate", "scorer": "tests"}),
        ("cite", {"sentence": "the runner keeps its word", "rule": "never"}), ("provenance", {"operator": "a test", "purpose": "test"}),
    ):  # fmt: skip
        parts.append(f"[{name}]\n" + lines({**base, **tables.get(name.rpartition(".")[2], {})}))
    return "\n".join(parts)


def with_model(text: str, url: str, **over: Any) -> str:
    """The same envelope with the scripted model behind this address for every arm; `over` changes single keys."""
    model = {
        "id": MODEL, "snapshot": "scripted-1-2026-11-29", "endpoint": url, "key_env": "RUN_PROVIDER_KEY",
        "access_class": "self_hosted", "server_class": "local", "temperature": "0.0", "seed": "none", "max_output_tokens": 64,
    }  # fmt: skip
    return text.replace(NO_MODEL, "[arm.model]\n" + lines(model | over))


def lines(table: dict[str, Any]) -> str:
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())


def start(folder: Path, *args: str, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """The command line as a process of its own; nothing outside `folder` is used but the baselines of the session."""
    settings = {"XDG_CACHE_HOME": cache_home(folder), "NO_COLOR": "1", "SECRET_API_KEY": "harness-secret-7f3a"}
    return denominator(
        args,
        cwd=folder,
        env=os.environ | settings | (env or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Done:
    """An ended process: exit code, what it said."""

    def __init__(self, process: subprocess.Popen[str], timeout_s: int = 180) -> None:
        self.out, self.err = process.communicate(timeout=timeout_s)
        self.code = process.returncode
        assert "Traceback" not in self.err, self.err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def cli(folder: Path, *args: str, env: dict[str, str] | None = None) -> Done:
    return Done(start(folder, *args, env=env))


def lock(root: Path) -> None:
    """Lock a pack without its own baseline: each run takes one anyway."""
    (root / LOCK_FILE).unlink(missing_ok=True)
    found = make_lock(load_pack(root), None, "a test")
    (root / LOCK_FILE).write_bytes(canonical(found) + b"\n")


def opened(folder: Path, run_id: str) -> OpenRun:
    return open_run(find_run(run_id, folder / "runs"), SystemClock(), NoFailpoints())


def ledger_of(folder: Path, run_id: str) -> Ledger:
    return read_ledger(opened(folder, run_id))


def rows_of(folder: Path, run_id: str) -> dict[tuple[str, int, int], AttemptRow]:
    return {(row.key.task_id, row.key.repeat, row.key.attempt): row for row in ledger_of(folder, run_id).rows}


def texts(run: OpenRun, stream: str, phase: str = "agent") -> dict[tuple[str, int], str]:
    """What attempts left in one stream, by task and repeat."""
    return {
        (e.key.task_id, e.key.repeat): run.blobs.get(e.blob).decode("utf-8", "replace")
        for e in run.journal.events()
        if e.key is not None and e.kind == "output" and e.stream == stream and e.phase == phase
    }
