"""Folders beside a run that claim to be its replays and cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from denominator.run.layout import RunFolder
from denominator.wiring.opening import replay_runs


@pytest.mark.parametrize("note", ["{", "[]", '{"of": 1}', '{"of": "first", "seal": "0", "schema_version": 1}'])
def test_what_cannot_be_read_is_no_replay_and_no_end_of_judging(note: str, tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "replay.json").write_text(note)
    (tmp_path / "again" / "seal.json").write_text("{}")
    (tmp_path / "again" / "journal.db").write_bytes(b"SQLite format 3")
    assert list(replay_runs(RunFolder(tmp_path / "first"))) == []
