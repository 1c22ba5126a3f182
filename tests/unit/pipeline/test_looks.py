"""Looks are written whole beside both runs, and none is lost when several are taken at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from denominator.errors import BlockedError
from denominator.pipeline.looking_ahead import _refuse_hidden
from denominator.pipeline.looks import FILE, read_looks, record_look
from denominator.records.replays import Look


def run(folder: Path) -> Any:
    folder.mkdir(exist_ok=True)
    return cast(Any, SimpleNamespace(folder=SimpleNamespace(root=folder)))


def look(number: int) -> Look:
    return Look(at=f"2026-11-29T10:00:{number:02}.000Z", runs=("a", "b"), tasks=number, more_a=0, more_b=0)


def test_looks_taken_at_once_are_all_there(tmp_path: Path) -> None:
    runs = (run(tmp_path / "a"), run(tmp_path / "b"))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: record_look(runs, look(number)), range(24)))
    for one in runs:
        assert {found.tasks for found in read_looks(one.folder.root / FILE)} == set(range(24))
        assert [path.name for path in one.folder.root.iterdir()] == [FILE]


def test_a_look_that_cannot_be_written_leaves_the_others_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = run(tmp_path / "a")
    record_look((one,), look(1))
    before = (one.folder.root / FILE).read_bytes()
    monkeypatch.setattr("denominator.wire.durable.os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(OSError, match="full"):
        record_look((one,), look(2))
    assert (one.folder.root / FILE).read_bytes() == before


def judged(status: str, *, hidden: bool = False) -> Any:
    return SimpleNamespace(judged=SimpleNamespace(split_hidden=hidden, verdict=SimpleNamespace(status=status)))


def test_what_the_gate_withholds_of_an_ended_run_is_withheld_from_a_look() -> None:
    with pytest.raises(BlockedError, match="the number of b is withheld"):
        _refuse_hidden([("a", judged("publishable")), ("b", judged("blocked"))], going_on=False)
    with pytest.raises(BlockedError, match="a control of a is violated"):
        _refuse_hidden([("a", judged("blocked", hidden=True)), ("b", judged("publishable"))], going_on=True)


def test_an_open_run_is_blocked_by_being_open_and_may_be_looked_at() -> None:
    _refuse_hidden([("a", judged("blocked")), ("b", judged("blocked"))], going_on=True)
    _refuse_hidden([("a", judged("publishable")), ("b", judged("publishable"))], going_on=False)
