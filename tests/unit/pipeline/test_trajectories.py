"""What an agent tells of itself is kept and told; what it plants instead is left alone, and no telling decides anything."""

from __future__ import annotations

import json

import pytest

from denominator.adapters.agents.presets import PRESETS
from denominator.adapters.store.blobs import FolderBlobs
from denominator.pipeline import trajectories
from denominator.pipeline.agent_phase import nothing_run
from denominator.pipeline.trajectories import own_end, read_traces
from denominator.ports import Ended, Trace
from denominator.readers.trajectories import FORMATS, Told
from denominator.records.facts import OwnEnding
from denominator.records.values import NotMeasured

MINI = {
    "trajectory_format": "mini-swe-agent-1.1",
    "info": {"mini_version": "2.4.6", "exit_status": "LimitsExceeded", "model_stats": {"api_calls": 0}},
    "messages": [{"role": "user", "content": "fix it"}],
}
TRACE = Trace(
    format="mini-swe-agent",
    files={"": "trajectory.json", "more": "log.jsonl"},
    endings={"status:LimitsExceeded": "own_limit", "exit:1": "crashed_at_start"},
)


def _ended(**changes) -> Ended:
    base = nothing_run()
    fields = {name: getattr(base, name) for name in base.__dataclass_fields__}
    return Ended(**{**fields, **changes})


@pytest.fixture
def out(tmp_path):
    made = tmp_path / "out"
    made.mkdir()
    return made


@pytest.fixture
def blobs(tmp_path):
    (tmp_path / "blobs").mkdir()
    return FolderBlobs(tmp_path / "blobs")


def test_files_are_kept_as_they_are_and_told_as_atif(out, blobs):
    data = json.dumps(MINI, indent=1).encode()
    (out / "trajectory.json").write_bytes(data)
    (out / "log.jsonl").write_bytes(b"{}\n")
    told, left = read_traces(TRACE, out, _ended(), blobs)
    assert isinstance(told, Told)
    assert set(left) == {"trajectory", "trajectory.more", "atif"}
    assert blobs.get(left["trajectory"][0]) == data
    assert json.loads(blobs.get(left["atif"][0]))["steps"][0]["message"] == "fix it"


def test_what_an_agent_prints_is_read_from_there(blobs):
    printed = (
        b'{"type": "thread.started"}\n{"type": "item.completed", "item": {"type": "agent_message", "text": "x"}}\n'
    )
    told, left = read_traces(Trace(format="codex"), None, _ended(stdout=printed), blobs)
    assert isinstance(told, Told)
    assert set(left) == {"atif"}, "stdout is kept already"


def test_a_link_is_not_followed(out, blobs, tmp_path):
    (tmp_path / "secret.json").write_text(json.dumps(MINI))
    (out / "trajectory.json").symlink_to(tmp_path / "secret.json")
    told, left = read_traces(TRACE, out, _ended(), blobs)
    assert isinstance(told, NotMeasured)
    assert left == {}


def test_a_trajectory_that_is_too_large_is_left_alone(out, blobs, monkeypatch):
    monkeypatch.setattr(trajectories, "MAX_BYTES", 10)
    (out / "trajectory.json").write_text(json.dumps(MINI))
    told, left = read_traces(TRACE, out, _ended(), blobs)
    assert isinstance(told, NotMeasured) and left == {}


def test_a_reader_that_fails_costs_nothing_else(out, blobs, monkeypatch):
    def broken(parts):
        raise RuntimeError("a mistake of ours")

    monkeypatch.setitem(FORMATS, "mini-swe-agent", broken)
    (out / "trajectory.json").write_text(json.dumps(MINI))
    told, left = read_traces(TRACE, out, _ended(), blobs)
    assert isinstance(told, NotMeasured) and "a mistake of ours" in told.not_measured
    assert set(left) == {"trajectory"}


def test_an_agent_without_a_preset_tells_nothing(out, blobs):
    told, left = read_traces(None, out, _ended(), blobs)
    assert isinstance(told, NotMeasured) and left == {}


def test_its_own_word_comes_before_its_exit_code(out, blobs):
    (out / "trajectory.json").write_text(json.dumps(MINI))
    told, _ = read_traces(TRACE, out, _ended(), blobs)
    found = own_end(TRACE, told, _ended(exit_code=1))
    assert (found.word, found.said, found.exit) == (OwnEnding.OWN_LIMIT, "LimitsExceeded", 1)


def test_without_a_word_the_exit_code_tells():
    found = own_end(TRACE, NotMeasured("no trajectory"), _ended(exit_code=1))
    assert found.word == OwnEnding.CRASHED_AT_START
    unknown = own_end(TRACE, NotMeasured("no trajectory"), _ended(exit_code=7))
    assert unknown.word == NotMeasured("no table of mini-swe-agent knows 'exit:7'")


@pytest.mark.parametrize("preset", PRESETS, ids=lambda one: one.name)
def test_exit_0_alone_never_says_finished(preset):
    assert "exit:0" not in preset.endings, "agents end with 0 also when every call failed"
