"""ATIF trajectories."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from denominator.readers.tools import ToolCalls, facts_of, read_trajectory, trajectory_calls
from denominator.records.values import NotMeasured

SAMPLES = Path(__file__).parents[5] / "shared" / "samples"


def _call(id_, name="bash", **arguments):
    return {"tool_call_id": id_, "function_name": name, "arguments": arguments or {"cmd": "make"}}


def _step(*calls, results=None, **more):
    given = (
        results if results is not None else [{"source_call_id": c["tool_call_id"], "content": "same"} for c in calls]
    )
    return {"source": "agent", "tool_calls": list(calls), "observation": {"results": given}} | more


def _read(*steps, **more):
    return trajectory_calls({"schema_version": "ATIF-v1.6", "steps": list(steps)} | more)


def test_calls_and_results_meet_by_id():
    read = _read(
        {"source": "user", "message": "go"},
        _step(
            _call("a", "one"),
            _call("b", "two"),
            results=[{"source_call_id": "b", "content": "B"}, {"source_call_id": "a", "content": "A"}],
        ),
        _step(_call("c", "one"), results=[{"content": "A"}]),
    )
    one, two, again = read.calls
    assert (one.result_sha256 == again.result_sha256, one.result_sha256 == two.result_sha256) == (True, False)
    assert [call.turn for call in read.calls] == [2, 2, 3]
    assert read.gaps == ()


def test_ids_that_come_again_in_every_step_are_told_apart():
    facts = facts_of(_read(*(_step(_call("call_0")) for _ in range(4))), "trajectory")
    assert [(r.block, r.times) for r in facts.repeats] == [(1, 4)]
    assert facts.complete


def test_copied_context_counts_once():
    step = _step(_call("a"))
    assert len(_read(step, step | {"is_copied_context": True}, step | {"is_copied_context": True}).calls) == 1


def test_a_result_without_content_is_unknown():
    facts = facts_of(_read(_step(_call("a"), results=[{"source_call_id": "a"}]), _step(_call("b"))), "trajectory")
    assert (facts.calls, facts.with_results, facts.complete) == (2, 1, False)


def test_several_results_of_one_call_count_together():
    def step(*texts):
        return _step(_call("a"), results=[{"source_call_id": "a", "content": text} for text in texts])

    one, other, again = _read(step("x", "y"), step("x", "z"), step("x", "y")).calls
    assert one.result_sha256 == again.result_sha256 != other.result_sha256


def test_one_result_for_all_calls_of_a_step_makes_them_one_call():
    step = _step(_call("a"), _call("b"), _call("c"), results=[{"content": "screen"}])
    facts = facts_of(_read(step, step), "trajectory")
    assert (facts.calls, [(r.block, r.times) for r in facts.repeats]) == (2, [(1, 2)])


def test_sub_agents_are_threads_of_their_own():
    inner = {"steps": [_step(_call("x")), _step(_call("y"))]}
    read = _read(_step(_call("a")), _step(_call("b")), subagent_trajectories=[inner])
    assert [call.thread for call in read.calls] == [0, 0, 1, 1]
    assert [(r.times) for r in facts_of(read, "trajectory").repeats] == [2]


@pytest.mark.parametrize(
    ("read", "gap"),
    [
        (_read(continued_trajectory_ref="next.json"), "another file"),
        (_read(_step(results=[{"content": "prompt$ "}])), "no call"),
        (_read(_step(_call("a"), results=[{"source_call_id": "z", "content": "?"}])), "no call"),
        (_read(_step(results=[{"subagent_trajectory_ref": [{"session_id": "s"}]}])), "sub-agents"),
        (_read(steps="none"), "list of steps"),
    ],
)
def test_what_is_missing_is_said(read, gap):
    assert gap in " ".join(read.gaps)
    assert facts_of(read, "trajectory").complete is False


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"schema_version": "ATIF-v2.0", "steps": []}', b"[" * 10**5])
def test_what_is_no_trajectory_is_not_measured(data):
    assert isinstance(read_trajectory(data), NotMeasured)


def test_a_file_on_disk_is_the_same():
    document = {"schema_version": "ATIF-v1.6", "steps": [_step(_call("a"))]}
    assert read_trajectory(json.dumps(document).encode()) == trajectory_calls(document)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are not here")
def test_trajectories_of_a_real_harness():
    files = sorted(SAMPLES.glob("harbor-*/jobs/*/*/agent/trajectory.json"))
    assert files
    for path in files:
        read = read_trajectory(path.read_bytes())
        assert isinstance(read, ToolCalls), path
        assert facts_of(read, "trajectory").complete, path
        assert [call.tool for call in read.calls] == ["bash"], path


def test_a_step_made_to_keep_the_reader_busy_is_soon_read():
    calls = [_call("") for _ in range(20_000)]
    started = time.monotonic()
    read = _read(_step(*calls, results=[{"source_call_id": "", "content": str(n)} for n in range(20_001)]))
    assert time.monotonic() - started < 10
    assert len({call.result_sha256 for call in read.calls}) == 20_000
