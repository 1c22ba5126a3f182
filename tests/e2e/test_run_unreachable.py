"""An endpoint that cannot be reached: the batch is not started; what starts nothing tries nothing."""

from __future__ import annotations

import socket

import pytest

from e2e import runs

pytestmark = [pytest.mark.needs_bwrap]


@pytest.fixture
def folder(tmp_path):
    """A pack, and an arm behind the gateway whose endpoint nobody serves."""
    runs.make_pack(tmp_path, "double-it")
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{one.getsockname()[1]}/v1"
        arm = {"label": "m", "agent": "command", "command": ["true", "{model_url}"]}
        text = runs.envelope([arm], budget={"tokens": 1000}, sandbox={"network": "gateway"})
        model = {
            "id": "big", "snapshot": "big-1", "endpoint": url, "access_class": "self_hosted", "server_class": "local",
            "temperature": "0.0", "seed": "none", "max_output_tokens": 64,
        }  # fmt: skip
        text = text.replace('[arm.model]\nid = "none"\n', "[arm.model]\n" + runs.lines(model))
        (tmp_path / "envelope.toml").write_text(text)
        yield tmp_path


def test_run_does_not_start_and_resume_goes_on_with_nothing(folder):
    said = runs.cli(folder, "run", "--run-id", "r")
    assert said.code == 2 and "cannot be reached" in said.err and "would be INFRA" in said.err
    assert "start the model server" in " ".join(said.err.split())
    assert not list((folder / "runs").glob("*")) if (folder / "runs").exists() else True
    assert runs.cli(folder, "run", "--dry-run").code == 0
    said = runs.cli(folder, "seal", "--run-id", "r")
    assert said.code == 0, said.err
    said = runs.cli(folder, "resume", "r")
    assert said.code == 2 and "cannot be reached" in said.err
    assert runs.cli(folder, "status", "r", "--json").json["promised"] == 0
