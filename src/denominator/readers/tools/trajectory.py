"""Tool calls of an ATIF trajectory (`trajectory.json` of a Harbor trial, versions 1.x)."""

from __future__ import annotations

from typing import Any

from denominator.readers.tools.call import Read, ToolCall, ToolCalls
from denominator.readers.tools.conversation import Conversation
from denominator.readers.tools.results import result_digest
from denominator.records.rows import Text
from denominator.records.values import NotMeasured
from denominator.wire.strict import read

VERSION = "ATIF-v1."
NO_CONTENT = NotMeasured("the trajectory holds no content of this result")


def read_trajectory(data: bytes) -> Read:
    """The calls of a trajectory file; never raises for odd bytes."""
    document, refusal = read(data, "decimal")
    return NotMeasured("the trajectory is no JSON") if refusal is not None else trajectory_calls(document)


def trajectory_calls(document: Any) -> Read:
    """The calls of a trajectory that was parsed already. Each embedded sub-agent is a thread of its own.

    Copied context (`is_copied_context`) is history told again and is passed over. A step with several calls and one result
    that names none of them is one call: what the agent learned, it learned from all of them together.
    """
    version = document.get("schema_version") if isinstance(document, dict) else None
    if not isinstance(version, str) or not version.startswith(VERSION):
        return NotMeasured("no ATIF trajectory of version 1")
    calls: list[ToolCall] = []
    gaps: dict[str, None] = {}
    for thread, part in enumerate(_parts(document)):
        _take(part, thread, calls, gaps)
    return ToolCalls(calls=tuple(calls), gaps=tuple(gaps))


def _parts(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The trajectory and every trajectory inside it."""
    found, at = [document], 0
    while at < len(found):
        found += _dicts(found[at].get("subagent_trajectories"))
        at += 1
    return found


def _take(part: dict[str, Any], thread: int, calls: list[ToolCall], gaps: dict[str, None]) -> None:
    steps = part.get("steps")
    if not isinstance(steps, list):
        gaps.setdefault("a trajectory without a list of steps")
    if part.get("continued_trajectory_ref"):
        gaps.setdefault("the trajectory goes on in another file")
    conversation, elsewhere = Conversation(), not _dicts(part.get("subagent_trajectories"))
    for step in _dicts(steps):
        if not step.get("is_copied_context"):
            conversation.next_turn()
            _step(conversation, step, elsewhere, gaps)
    calls += [entry.done(len(calls) + n, entry.turn, thread) for n, entry in enumerate(conversation.entries)]


def _step(conversation: Conversation, step: dict[str, Any], elsewhere: bool, gaps: dict[str, None]) -> None:
    calls, observation = _dicts(step.get("tool_calls")), step.get("observation")
    results = _dicts(observation.get("results")) if isinstance(observation, dict) else []
    if len(calls) > 1 and len(results) == 1 and not results[0].get("source_call_id"):
        names = "+".join(str(call.get("function_name")) for call in calls)
        conversation.call(None, names, [call.get("arguments") for call in calls])
    else:
        for call in calls:
            conversation.call(call.get("tool_call_id"), call.get("function_name"), call.get("arguments"))
    for result in results:
        if elsewhere and result.get("subagent_trajectory_ref"):
            gaps.setdefault("calls of sub-agents are in other files")
        id_ = result.get("source_call_id") or _only(calls)
        placed = bool(id_ or calls) and conversation.result(id_, _digest(result))
        if not placed and not result.get("subagent_trajectory_ref"):
            gaps.setdefault("some results belong to no call")


def _only(calls: list[dict[str, Any]]) -> Any:
    """The id of a step's only call: a result that names no call is its."""
    return calls[0].get("tool_call_id") if len(calls) == 1 else None


def _digest(result: dict[str, Any]) -> Text:
    content = result.get("content")
    return NO_CONTENT if content is None else result_digest(content)


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
