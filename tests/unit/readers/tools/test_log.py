"""The agent's own tool log: read when it is whole, not measured when it is not."""

from __future__ import annotations

import json
import time

import pytest

from denominator.readers.tools import NO_LOG, facts_of, read_tool_log
from denominator.records.values import NotMeasured

SHA = "0" * 64


def _log(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _row(seq, **more):
    return {"seq": seq, "name": "run", "args": {"command": "ls"}, "exit": 0, "result_sha256": SHA} | more


def test_a_loop_is_found():
    facts = facts_of(read_tool_log(_log(*(_row(n) for n in (1, 2, 3)))), "tool_log")
    assert [(r.block, r.times, r.first) for r in facts.repeats] == [(1, 3, 0)]
    assert facts.complete


def test_lines_are_ordered_by_seq():
    read = read_tool_log(_log(_row(2, name="b"), _row(1, name="a")))
    assert [call.tool for call in read.calls] == ["a", "b"]


def test_what_a_line_leaves_out_is_unknown():
    (call,) = read_tool_log(_log({"seq": 1, "name": "think"})).calls
    assert isinstance(call.result_sha256, NotMeasured)
    assert isinstance(call.exit, NotMeasured)
    assert call.arguments == "{}"


@pytest.mark.parametrize("data", [b"", b"\n \n"])
def test_no_log_is_no_answer(data):
    assert read_tool_log(data) == NO_LOG


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (_log(_row(1), _row(2))[:-30], "line 2: breaks off"),
        (_log(_row(1)) + b"oops\n", "line 2"),
        (_log(_row(1), _row(3)), "call 2 is missing"),
        (_log(_row(2)), "call 1 is missing"),
        (_log(_row(1), _row(1)), "there already"),
        (_log(_row(0)), "seq"),
        (_log(_row(True)), "seq"),
        (_log({"name": "run"}), "seq"),
        (_log(_row(1, name="")), "name"),
        (_log(_row(1, args="ls")), "args"),
        (_log(_row(1, exit="0")), "exit"),
        (_log(_row(1, result_sha256="same")), "result_sha256"),
        (_log(_row(1, result_sha256="A" * 64)), "result_sha256"),
        (b'{"seq": 1, "seq": 2, "name": "run"}\n', "line 1"),
        (b"\xff\xfe\n", "line 1"),
        (b"[" * 100_000 + b"\n", "line 1"),
        (b"[1]\n", "line 1"),
    ],
)
def test_a_damaged_log_is_not_measured_and_says_why(data, why):
    read = read_tool_log(data)
    assert isinstance(read, NotMeasured)
    assert why in read.not_measured


@pytest.mark.parametrize(
    "data", [b"x\n" * 5_000_000, b"\n" * 5_000_000, b"{}\n" * 3_000_000, _log(_row(1)) + b"\n" * 60_000]
)
def test_a_log_made_to_keep_the_reader_busy_is_left(data):
    started = time.monotonic()
    assert isinstance(read_tool_log(data), NotMeasured)
    assert time.monotonic() - started < 20
