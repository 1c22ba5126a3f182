"""A run of the 16 tasks that the package ships, recorded once and played twice with no server: one ledger three times."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from denominator.packs import find_pack, load_pack
from denominator.testing.scripted_server import ScriptedServer
from denominator.wire.names import safe_name
from e2e import runs
from e2e.playing import KEY, OF_PLAYING, envelope, install, same

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
WASTED = ("page-count", "csv-fields")
"""Solvable tasks on which the model does nothing that helps, beside those that have no reference patch."""
PACK = find_pack("holdout16")


def patches() -> Mapping[str, str]:
    """The reference patch of each task by its prompt; a task without one gets none."""
    found = {}
    for task in load_pack(PACK).pack.tasks:
        folder = PACK / "tasks" / safe_name(task.id)
        gold = folder / "gold.patch"
        known = gold.is_file() and task.id not in WASTED
        found[(folder / "prompt.md").read_text()] = gold.read_text() if known else ""
    return found


GOLD = patches()


def commands(request: Mapping[str, Any]) -> list[str]:
    patch = next((patch for prompt, patch in GOLD.items() if prompt in request["messages"][0]["content"]), "")
    if not patch:
        return ["ls", "printf '\\n' >> README.md", "git status --short"]
    return ["ls", f"git apply - <<'END_OF_PATCH'\n{patch}END_OF_PATCH\n", "git status --short"]


def test_sixteen_tasks_recorded_once_and_played_twice_give_one_ledger(tmp_path: Path) -> None:
    install(tmp_path)
    tables = {"run": {"concurrency": 2}}
    with ScriptedServer(commands) as server:
        url = server.url
        (tmp_path / "envelope.toml").write_text(envelope(tmp_path, url, pack="holdout16", **tables))
        recorded = runs.Done(
            runs.start(tmp_path, "run", "envelope.toml", "--run-id", "rec", env={"RUN_PROVIDER_KEY": KEY}), 600
        )
        asked = len(server.requests)
    assert recorded.code in (0, 1), recorded.err
    assert runs.cli(tmp_path, "runs", "cassette", "rec", "-o", "tape").code == 0
    (tmp_path / "played.toml").write_text(
        envelope(tmp_path, url, pack="holdout16", gateway='cassette = "tape"\n', **tables)
    )
    for run_id in ("one", "two"):
        done = runs.Done(runs.start(tmp_path, "run", "played.toml", "--run-id", run_id), 600)
        assert done.code == 1, done.err
    first, one, two = (runs.ledger_of(tmp_path, run_id) for run_id in ("rec", "one", "two"))
    assert len(first.rows) == 16 and len(first.calls) == asked == 16 * 4
    same(one, two)
    same(first, one, but=OF_PLAYING)
    assert {row.grade for row in first.rows} == {"green", "red"}
    assert all(row.played for row in (*one.rows, *two.rows))
    compared = runs.cli(tmp_path, "compare", "one", "two")
    assert compared.code == 3 and "they are the same draws" in " ".join(compared.out.split())
