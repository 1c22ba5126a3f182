"""`envelope init`: an envelope and a stand-in for its agent; what exists is left alone."""

from __future__ import annotations

import pytest

from denominator.cli.main import run_cli


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("agent", ["oracle", "nop", "script"])
def test_an_agent_of_ours_can_be_run_at_once(agent, capsys):
    assert run_cli(["envelope", "init", "--agent", agent, "A.toml"]) == 0
    assert capsys.readouterr().out.endswith("next: denominator run A.toml\n")
    assert run_cli(["envelope", "check", "A.toml"]) == 0


def test_a_program_of_ones_own_has_a_stand_in_and_seven_questions(folder, capsys):
    assert run_cli(["envelope", "init", "--agent", "command"]) == 0
    assert "opt/agent" in (folder / "agent" / "agent.sh").read_text()
    assert run_cli(["envelope", "check"]) == 2
    assert "\n7 to fill in or mend" in capsys.readouterr().out


def test_what_exists_stays(folder, capsys):
    (folder / "agent").mkdir()
    (folder / "agent" / "agent.sh").write_text("mine")
    assert run_cli(["envelope", "init", "--agent", "command"]) == 0
    assert (folder / "agent" / "agent.sh").read_text() == "mine"
    assert "agent/agent.sh: exists, left as it is" in capsys.readouterr().out
    before = (folder / "envelope.toml").read_text()
    assert run_cli(["envelope", "init"]) == 2
    assert (folder / "envelope.toml").read_text() == before


@pytest.mark.parametrize("args", [["--model"], ["--agent", "oracle", "--model"], ["--agent", "orcale"]])
def test_what_does_not_go_together_writes_nothing(args, folder):
    assert run_cli(["envelope", "init", *args]) == 2
    assert list(folder.iterdir()) == []


def test_init_takes_the_same_kinds_of_agent(folder, capsys):
    assert run_cli(["init", "--agent", "command", "--json"]) == 0
    assert '"agent/agent.sh": "written"' in capsys.readouterr().out
    assert run_cli(["init", "--agent", "oracle"]) == 0
    assert "envelope.toml: exists, left as it is" in capsys.readouterr().out
    assert 'agent = "command"' in (folder / "envelope.toml").read_text()
