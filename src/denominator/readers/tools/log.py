"""The tool log that an agent writes itself (docs/formats/agent.md). It explains the agent's own row and nothing else."""

from __future__ import annotations

from collections.abc import Collection
from io import BytesIO
from typing import Any

from denominator.readers.tools.call import NO_EXIT, NO_RESULT, Read, ToolCall, ToolCalls, tool_call
from denominator.records.rows import Count, Text
from denominator.records.values import NotMeasured
from denominator.wire.jsonl import BadLine, Item, Line, Torn, iter_jsonl

LINES_MAX = 50_000
"""More lines are no account of what an agent did; reading them would only keep the harness busy."""
NO_LOG = NotMeasured("the agent left no tool log")


def read_tool_log(data: bytes) -> Read:
    """The calls of a log, by `seq`; never raises for odd bytes.

    A log that is empty, torn, holds a line that does not fit or lacks a number of `seq` is not measured, with the reason:
    nothing may be concluded from what is left of it. Reading stops at the first such line, and after `LINES_MAX`.
    """
    found: dict[int, ToolCall] = {}
    for item in iter_jsonl(BytesIO(data)):
        if item.number > LINES_MAX:
            return NotMeasured(f"the tool log has more than {LINES_MAX} lines")
        wrong = _wrong(item, found)
        if wrong:
            return NotMeasured(f"tool log, line {item.number}: {wrong}")
        if isinstance(item, Line):
            found[item.value["seq"]] = _call(item)
    if not found:
        return NO_LOG
    missing = next(number for number in range(1, len(found) + 2) if number not in found)
    if missing <= len(found):
        return NotMeasured(f"tool log: call {missing} is missing")
    return ToolCalls(calls=tuple(found[number] for number in sorted(found)))


def _wrong(item: Item, found: Collection[int]) -> str:
    """Why a line does not fit, or ""."""
    match item:
        case Torn():
            return "breaks off"
        case BadLine():
            return item.what
        case Line():
            return _misfit(item.value) or (f"seq {item.value['seq']} is there already" * (item.value["seq"] in found))
        case _:
            return ""


def _misfit(row: dict[str, Any]) -> str:
    """Why an object is no call, or ""."""
    if not _is_count(row.get("seq")) or row["seq"] < 1:
        return "seq is no number from 1"
    if not isinstance(row.get("name"), str) or not row["name"]:
        return "name is no text"
    if not isinstance(row.get("args", {}), dict):
        return "args is no object"
    if row.get("exit") is not None and not _is_count(row["exit"]):
        return "exit is no whole number"
    given = row.get("result_sha256")
    if given is not None and not _is_digest(given):
        return "result_sha256 is no lowercase sha256"
    return ""


def _call(line: Line) -> ToolCall:
    row = line.value
    given, code = row.get("result_sha256"), row.get("exit")
    result: Text = NO_RESULT if given is None else given
    exit_code: Count = NO_EXIT if code is None else code
    return tool_call(row["seq"] - 1, row["name"], row.get("args"), result, exit_code=exit_code)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and all(c in "0123456789abcdef" for c in value)
