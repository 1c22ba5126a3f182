"""`runs gc` where there is nothing to remove says so."""

from __future__ import annotations

import os

from click.testing import CliRunner

from denominator.cli.runs import runs


def test_nothing_is_said_to_be_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "runs").mkdir()
    done = CliRunner().invoke(runs, ["gc", "--runs-dir", "runs", "--dry-run"])
    assert (done.exit_code, done.output) == (0, "nothing to remove\n")


def test_files_that_a_killed_process_never_finished_go_after_an_hour(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run = tmp_path / "runs" / "r1"
    (run / "blobs" / "ab").mkdir(parents=True)
    (run / "seal.json").write_text("{}")
    for name in (".card.json.1.part", "blobs/ab/.cd.2.part", "card.json", "blobs/ab/cd"):
        (run / name).write_text("")
    collect = ["gc", "--runs-dir", "runs"]
    assert CliRunner().invoke(runs, collect).output == "nothing to remove\n"
    for path in run.rglob("*.part"):
        os.utime(path, (0, 0))
    assert "never finished" in CliRunner().invoke(runs, [*collect, "--dry-run"]).output
    assert len(list(run.rglob("*.part"))) == 2
    assert CliRunner().invoke(runs, collect).exit_code == 0
    assert sorted(path.name for path in run.rglob("*") if path.is_file()) == ["card.json", "cd", "seal.json"]
