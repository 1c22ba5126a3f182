"""A command that names no address in its arm finds its model in the environment all the same (docs/formats/agent.md)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from denominator.testing.scripted_server import ScriptedServer
from e2e import model_runs, runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASK = "clamp-low"


def test_the_address_is_there_for_every_command(tmp_path: Path) -> None:
    with ScriptedServer(model_runs.commands) as server:
        model_runs.situation(tmp_path, server, ["once"], [TASK])
        envelope = tmp_path / "envelope.toml"
        lines = envelope.read_text().splitlines(keepends=True)
        envelope.write_text("".join(line for line in lines if "ADDRESS" not in line))
        assert "{model_url}" not in envelope.read_text()
        done = model_runs.run(tmp_path, "a")
    assert done.code in (0, 1), done.err
    assert [call.purpose for call in runs.opened(tmp_path, "a").journal.calls()] == ["solve"]
