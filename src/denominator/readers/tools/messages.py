"""Chat histories: OpenAI chat messages, Anthropic messages, and the messages of an Inspect sample."""

from __future__ import annotations

from typing import Any

from denominator.readers.tools.call import Read, ToolCalls
from denominator.readers.tools.conversation import Conversation
from denominator.readers.tools.results import result_digest
from denominator.records.values import NotMeasured

CALL_BLOCKS = ("tool_use", "server_tool_use", "mcp_tool_use")


def history_calls(messages: Any) -> Read:
    """The calls of one whole history."""
    if not isinstance(messages, list):
        return NotMeasured("the messages are no list")
    conversation = Conversation()
    gaps = take_messages(conversation, messages)
    done = (entry.done(n, entry.turn, 0) for n, entry in enumerate(conversation.entries))
    return ToolCalls(calls=tuple(done), gaps=gaps)


def take_messages(conversation: Conversation, messages: list[Any]) -> tuple[str, ...]:
    """Every call and result of `messages`, in order; the returned words say what could not be placed."""
    lost = 0
    for message in messages:
        if not isinstance(message, dict):
            lost += 1
            continue
        if message.get("role") in ("assistant", "model"):
            conversation.next_turn()
            _calls(conversation, message)
        lost += _results(conversation, message)
    return (f"{lost} messages or results belong to no call",) if lost else ()


def _calls(conversation: Conversation, message: dict[str, Any]) -> None:
    for call in _dicts(message.get("tool_calls")):
        _call(conversation, call)
    old = message.get("function_call")
    if isinstance(old, dict):
        conversation.call(None, old.get("name"), old.get("arguments"))
    for block in _dicts(message.get("content")):
        if block.get("type") in CALL_BLOCKS:
            conversation.call(block.get("id"), block.get("name"), block.get("input", block.get("arguments")))
            if block.get("result") is not None:
                conversation.result(block.get("id"), result_digest(block["result"]))


def _call(conversation: Conversation, call: dict[str, Any]) -> None:
    """One entry of `tool_calls`: a function, a custom tool with free text, or Inspect's flat form."""
    inner = call.get("function", call.get("custom"))
    if isinstance(inner, dict):
        conversation.call(call.get("id"), inner.get("name"), inner.get("arguments", inner.get("input")))
    else:
        conversation.call(call.get("id"), inner, call.get("arguments"))


def _results(conversation: Conversation, message: dict[str, Any]) -> int:
    """Takes the results of a message; how many of them belong to no call."""
    lost = 0
    if message.get("role") in ("tool", "function"):
        lost += not conversation.result(message.get("tool_call_id"), result_digest(_said(message)))
    for block in _dicts(message.get("content")):
        kind = block.get("type")
        if isinstance(kind, str) and kind.endswith("tool_result"):
            lost += not conversation.result(block.get("tool_use_id"), result_digest(block.get("content") or ""))
    return lost


def _said(message: dict[str, Any]) -> Any:
    """What the model read: the content, and in an Inspect log the error beside it."""
    content, error = message.get("content") or "", message.get("error")
    return content if not error else {"content": content, "error": error}


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
