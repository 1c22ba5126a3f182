"""The script in the words of two further APIs: OpenAI responses and Anthropic messages, whole and as streams.

A request becomes one of chat completions, and the answer to that is told again in the API's own form.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Event = tuple[str, Mapping[str, Any]]
"""Name and data of a stream event."""


def from_responses(request: Mapping[str, Any]) -> dict[str, Any]:
    """A request of the responses API as one of chat completions; a function call is a turn of the assistant."""
    given = request.get("input")
    items = given if isinstance(given, list) else [{"role": "user", "content": given}]
    messages = [{"role": "system", "content": request.get("instructions") or ""}, *map(_message_of, items)]
    tools = [{"function": tool} for tool in request.get("tools") or ()]
    return {"model": request.get("model"), "messages": messages, "tools": tools}


def _message_of(item: Mapping[str, Any]) -> dict[str, Any]:
    kinds = {"function_call": "assistant", "function_call_output": "tool", "reasoning": "reasoning"}
    role = kinds.get(str(item.get("type")), item.get("role") or "user")
    return {"role": role, "content": item.get("content") or item.get("output") or item.get("arguments") or ""}


def as_response(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of chat completions as one of the responses API."""
    message, usage = answer["choices"][0]["message"], answer["usage"]
    calls = message.get("tool_calls") or ()
    text = {"type": "output_text", "text": message["content"], "annotations": []}
    said = {"type": "message", "id": "msg-1", "role": "assistant", "status": "completed", "content": [text]}
    called = [{"type": "function_call", "id": f"fc-{c['id']}", "call_id": c["id"], **c["function"]} for c in calls]
    return {
        "id": answer["id"],
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": answer["model"],
        "output": called or [said],
        "usage": {
            "input_tokens": usage["prompt_tokens"],
            "input_tokens_details": {"cached_tokens": usage["prompt_tokens_details"]["cached_tokens"]},
            "output_tokens": usage["completion_tokens"],
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": usage["total_tokens"],
        },
    }


def response_events(response: Mapping[str, Any]) -> Iterator[Event]:
    """The same as stream events: created, each item, completed."""
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    yield "response.created", {"type": "response.created", "response": begun}
    for index, item in enumerate(response["output"]):
        for word in ("added", "done"):
            kind = f"response.output_item.{word}"
            yield kind, {"type": kind, "output_index": index, "item": item}
    yield "response.completed", {"type": "response.completed", "response": response}


def from_messages(request: Mapping[str, Any]) -> dict[str, Any]:
    """A request of the messages API as one of chat completions."""
    system = {"role": "system", "content": request.get("system") or ""}
    tools = [{"function": tool} for tool in request.get("tools") or ()]
    return {"model": request.get("model"), "messages": [system, *request.get("messages", ())], "tools": tools}


def as_message(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of chat completions as one of the messages API; cached tokens stand beside the input there."""
    message, usage = answer["choices"][0]["message"], answer["usage"]
    calls = message.get("tool_calls") or ()
    cached = usage["prompt_tokens_details"]["cached_tokens"]
    used = [
        {
            "type": "tool_use",
            "id": c["id"],
            "name": c["function"]["name"],
            "input": json.loads(c["function"]["arguments"]),
        }
        for c in calls
    ]
    return {
        "id": f"msg_{answer['id']}",
        "type": "message",
        "role": "assistant",
        "model": answer["model"],
        "content": [{"type": "text", "text": message["content"]}, *used],
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": usage["prompt_tokens"] - cached,
            "cache_read_input_tokens": cached,
            "cache_creation_input_tokens": 0,
            "output_tokens": usage["completion_tokens"],
        },
    }


def message_events(message: Mapping[str, Any]) -> Iterator[Event]:
    """The same as stream events: start, each block, the end with its usage."""
    begun = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": begun}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": empty}
        yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": end, "usage": message["usage"]}
    yield "message_stop", {"type": "message_stop"}
