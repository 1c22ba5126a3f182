"""Situations of parts stats, ledger, comparability, flaky and quota: the commands that they name give their right answers.

Folders from 401 on in `tests/cases/invented`; what an answer means is in `asked.py`, which knows no case by name.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2e.asked import MEANINGS, answers, asked, wrong

FOLDERS = asked()


@pytest.mark.parametrize("name", FOLDERS)
def test_right_answer(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    work = tmp_path / "case"
    work.mkdir()
    monkeypatch.chdir(work)
    found = answers(FOLDERS[name], work, capsys)
    assert found
    for place, (answer, said) in enumerate(found, 1):
        assert not wrong(answer, said), f"question {place}"


def test_every_part_of_every_answer_has_a_meaning() -> None:
    for name, folder in FOLDERS.items():
        for one in json.loads((folder / "case.json").read_text("utf-8"))["asks"]:
            assert not one["right_answer"].keys() - MEANINGS.keys(), name


def test_a_wrong_answer_is_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "case"
    work.mkdir()
    monkeypatch.chdir(work)
    name = next(one for one in FOLDERS if one.endswith("one-pass-each-below-noise"))
    ((answer, said),) = answers(FOLDERS[name], work, capsys)
    assert not wrong(answer, said)
    off = {**answer, "value": {"difference": 0.5}, "rung": "counts", "exit": 3, "says": ["no such words"]}
    assert len(wrong(off, said)) == 4
