"""`replay RUN --with AGAIN` ends with the code of a run that is still open."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from denominator.cli.main import run_cli
from denominator.errors import Exit


@pytest.mark.parametrize(
    ("first", "again", "code"),
    [
        (Exit.DONE, Exit.DONE, 0),
        (Exit.DONE, Exit.OPEN, 4),
        (Exit.UNKNOWN_STATE, Exit.OPEN, 5),
        (Exit.BLOCKED, Exit.DONE, 0),
    ],
)
def test_an_open_run_keeps_its_code(first: Exit, again: Exit, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def results(*_: Any) -> Any:
        terms = SimpleNamespace(replay_ceiling="0.20")
        return tuple((name, SimpleNamespace(exit=one, terms=terms)) for name, one in (("a", first), ("b", again)))

    monkeypatch.setattr("denominator.cli.replay.results_of", results)
    monkeypatch.setattr("denominator.pipeline.replay_pairs.replay_pair", lambda *_, **__: None)
    monkeypatch.setattr("denominator.cli.replay._show", lambda *_: None)
    assert run_cli(["replay", "a", "--with", "b"]) == code
