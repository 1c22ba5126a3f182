"""Logs of Inspect that hold much: what is read by two processes, and what is refused before it is held."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from denominator.importers.formats.inspect import IMPORTER
from denominator.wire.sources import ahead, open_source
from denominator.wire.sources.second import Second
from foreign_data import read_all
from importer_examples.inspect import DEFLATE, log, members, packed, sample

MANY = {
    "events": "[" + ",".join(["{}"] * 3_000_000) + "]",
    "total_time": "[" + ",".join(["0.1"] * 3_000_000) + "]",
    "model_usage": '{"m": {"x": [' + ",".join(["[]"] * 3_000_000) + "]}}",
}


def changed(to: Path, ids: list[str], key: str, text: str) -> Path:
    """A log in which one value of the first sample is another text."""
    content = members(log(ids, [sample(one) for one in ids]))
    name = next(one for one in content if one.startswith("samples/"))
    content[name] = json.dumps(json.loads(content[name]) | {key: "@@"}).replace('"@@"', text).encode()
    return packed(to, content, DEFLATE)


@pytest.mark.parametrize("key", MANY)
def test_a_sample_of_many_small_values_is_refused_before_they_are_made(key: str, tmp_path: Path) -> None:
    path = changed(tmp_path / "log.eval", ["a", "b"], key, MANY[key])
    assert path.stat().st_size < 30_000
    tracemalloc.start()
    try:
        run, rows = read_all(IMPORTER, open_source(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [one.row.key.task_id for one in rows] == ["a", "b"]
    assert [one.what for one in run.told.defects if one.kind == "broken_sample"] == ["holds more than 2000000 values"]
    assert peak < 100 << 20


def test_texts_with_many_commas_are_no_values(tmp_path: Path) -> None:
    path = changed(tmp_path / "log.eval", ["a"], "output", json.dumps({"model": "m", "text": '[{,\\"' * 1_000_000}))
    run, rows = read_all(IMPORTER, open_source(path))
    assert not [one for one in run.told.defects if one.kind == "broken_sample"]
    assert len(rows) == 1


def test_a_log_that_two_processes_read_is_the_same_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a log of 24 MB gives does not depend on who made the digests."""
    many = [sample(f"t{n:03}", store={"text": f"{n:03}" * 200_000}) for n in range(40)]
    path = packed(tmp_path / "log.eval", members(log([one["id"] for one in many], many)))
    run, rows = read_all(IMPORTER, open_source(path))
    begun = []
    begin = Second.__init__
    monkeypatch.setattr(ahead, "ENOUGH_BYTES", 1 << 20)
    monkeypatch.setattr(Second, "__init__", lambda self, *given: (begun.append(1), begin(self, *given))[1])
    again, same = read_all(IMPORTER, open_source(path))
    assert begun == [1]
    assert (rows, run.told) == (same, again.told)
    assert len({one.row.source.sha256 for one in rows}) == 40
