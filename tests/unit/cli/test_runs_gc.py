"""`runs gc` where there is nothing to remove says so."""

from __future__ import annotations

from click.testing import CliRunner

from denominator.cli.runs import runs


def test_nothing_is_said_to_be_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "runs").mkdir()
    done = CliRunner().invoke(runs, ["gc", "--runs-dir", "runs", "--dry-run"])
    assert (done.exit_code, done.output) == (0, "nothing to remove\n")
