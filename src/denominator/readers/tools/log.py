"""The tool log that an agent writes itself (docs/formats/agent.md). It explains the agent's own row and nothing else."""

from __future__ import annotations

from denominator.readers.tools.call import NO_EXIT, NO_RESULT, Read, ToolCall, ToolCalls, tool_call
from denominator.records.rows import Count, Text
from denominator.records.values import NotMeasured
from denominator.wire.jsonl import Line, read_jsonl

NO_LOG = NotMeasured("the agent left no tool log")


def read_tool_log(data: bytes) -> Read:
    """The calls of a log, by `seq`; never raises for odd bytes.

    A log that is empty, torn, holds a line that does not fit or lacks a number of `seq` is not measured, with the reason:
    nothing may be concluded from what is left of it.
    """
    lines = read_jsonl(data, "tools.jsonl")
    if lines.torn is not None:
        return NotMeasured(f"the tool log is torn in line {lines.torn.number}")
    if lines.bad:
        return NotMeasured(f"tool log, line {lines.bad[0].number}: {lines.bad[0].what}")
    if not lines.rows:
        return NO_LOG
    found: dict[int, ToolCall] = {}
    for line in lines.rows:
        wrong = _wrong(line)
        seq = line.value.get("seq")
        if wrong or not isinstance(seq, int) or seq in found:
            return NotMeasured(f"tool log, line {line.number}: {wrong or f'seq {seq} is there already'}")
        found[seq] = _call(line, seq)
    missing = next(number for number in range(1, len(found) + 2) if number not in found)
    if missing <= len(found):
        return NotMeasured(f"tool log: call {missing} is missing")
    return ToolCalls(calls=tuple(found[number] for number in sorted(found)))


def _wrong(line: Line) -> str:
    """Why a line does not fit, or ""."""
    row = line.value
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


def _call(line: Line, seq: int) -> ToolCall:
    row = line.value
    given, code = row.get("result_sha256"), row.get("exit")
    result: Text = NO_RESULT if given is None else given
    exit_code: Count = NO_EXIT if code is None else code
    return tool_call(seq - 1, row["name"], row.get("args"), result, exit_code=exit_code)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and all(c in "0123456789abcdef" for c in value)
