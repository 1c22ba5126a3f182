"""The plain list of tool calls that rows of other harnesses carry: `{"name", "args", "result_sha256"?}`."""

from __future__ import annotations

from typing import Any

from denominator.readers.tools.call import NO_EXIT, NO_RESULT, NO_TURN, Read, ToolCall, ToolCalls, tool_call
from denominator.readers.tools.results import result_digest
from denominator.records.rows import Count, Text
from denominator.records.values import NotMeasured

NAMES = ("name", "tool")
ARGUMENTS = ("args", "arguments")
DIGESTS = ("result_sha256", "result_sha", "result_digest")


def plain_calls(value: Any) -> Read:
    """Calls from a list of objects, in order. A digest is any text that names the result; `result` may give it in full.

    An entry that is no call makes the whole list unreadable: the calls around a hole do not follow each other.
    """
    if not isinstance(value, list):
        return NotMeasured("the tool calls are no list")
    calls: list[ToolCall] = []
    for number, entry in enumerate(value, start=1):
        name = _first(entry, NAMES) if isinstance(entry, dict) else None
        if not isinstance(name, str) or not name:
            return NotMeasured(f"tool call {number} of {len(value)} has no name")
        calls.append(
            tool_call(
                number - 1,
                name,
                _first(entry, ARGUMENTS),
                _result(entry),
                exit_code=_count(entry.get("exit"), NO_EXIT),
                turn=_count(entry.get("turn"), NO_TURN),
            )
        )
    return ToolCalls(calls=tuple(calls))


def _first(entry: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((entry[name] for name in names if entry.get(name) is not None), None)


def _result(entry: dict[str, Any]) -> Text:
    given = _first(entry, DIGESTS)
    if given is not None:
        return given if isinstance(given, str) and given.strip() else NotMeasured("the result digest is no text")
    return result_digest(entry["result"]) if entry.get("result") is not None else NO_RESULT


def _count(value: Any, unknown: NotMeasured) -> Count:
    return value if isinstance(value, int) and not isinstance(value, bool) else unknown
