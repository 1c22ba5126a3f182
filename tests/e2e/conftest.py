"""One folder for all tests of the command line, made once; a caller that works in process."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from denominator.cli.main import run_cli
from e2e.cli_lab import Said, checked, make_lab, process


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a locked pack, envelopes, and a finished window of two arms (runs window-script, window-oracle)."""
    folder = make_lab(tmp_path_factory.mktemp("lab"))
    window = process(folder, "run", "--arms", "envelope.toml", "oracle.toml", "--run-id", "window")
    assert window.code == 0, window.err
    (folder / "window.out").write_text(window.out)
    (folder / "window.err").write_text(window.err)
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in, with no settings from outside."""
    for name in [name for name in os.environ if name.startswith("DENOMINATOR_")]:
        monkeypatch.delenv(name)
    for name, place in {"XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config"}.items():
        monkeypatch.setenv(name, str(tmp_path / place))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli(here: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Call a verb in this process: verbs that need no sandbox."""

    def call(*args: str | Path) -> Said:
        capsys.readouterr()
        code = run_cli([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return checked(Said(code, out, err))

    return call
