"""What a model answered, from the body of its answer: text, reasoning and tool calls, whole or streamed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from denominator.readers.tools.replies import reply_of
from denominator.readers.trajectories.plain import document, inner, objects, text
from denominator.readers.trajectories.story import Call
from denominator.wire.providers import Api
from denominator.wire.sse import SseReader

CALLED = ("tool_use", "server_tool_use", "mcp_tool_use")
ARGUMENTS = ("arguments", "input", "action", "operation", "code", "queries")


@dataclass(slots=True)
class Answer:
    """One answer; of several choices the first."""

    text: str = ""
    reasoning: str = ""
    calls: list[Call] = field(default_factory=list)


def answer_of(api: Api, body: bytes) -> Answer | None:
    """The answer that a body holds; nothing for one that cannot be read. Never raises."""
    if api is Api.RESPONSES:
        _, items = reply_of(body)
        return of_items(items) if items else None
    whole = document(body)
    if isinstance(whole, dict):
        return of_message(_said(api, whole))
    parts = [
        one for event in SseReader().feed(body, last=True) if isinstance(one := document(event.data.encode()), dict)
    ]
    if not parts:
        return None
    return _chat(parts) if api is Api.CHAT else of_message({"content": _blocks(parts)})


def of_message(message: Any) -> Answer:
    """An assistant's message of chat or of Anthropic's interface."""
    found = Answer()
    if not isinstance(message, dict):
        return found
    content = message.get("content")
    found.reasoning = text(message.get("reasoning_content") or message.get("reasoning"))
    found.text = content if isinstance(content, str) else ""
    for block in objects(content):
        kind = block.get("type")
        if kind in CALLED:
            found.calls.append((block.get("id"), block.get("name"), block.get("input", block.get("arguments"))))
        elif kind == "thinking":
            found.reasoning += text(block.get("thinking"))
        elif isinstance(block.get("text"), str):
            found.text += block["text"]
    for call in objects(message.get("tool_calls")):
        told = call.get("function") or call.get("custom")
        found.calls.append((call.get("id"), inner(told, "name"), inner(told, "arguments") or inner(told, "input")))
    if isinstance(old := message.get("function_call"), dict):
        found.calls.append((None, old.get("name"), old.get("arguments")))
    return found


def of_items(items: list[Any]) -> Answer:
    """Items of the Responses interface."""
    found = Answer()
    for item in objects(items):
        kind = str(item.get("type") or "message")
        if kind == "reasoning":
            found.reasoning += "".join(text(part.get("text")) for part in objects(item.get("summary")))
        elif kind.endswith("_call"):
            given = next((item[name] for name in ARGUMENTS if item.get(name) is not None), None)
            found.calls.append(
                (item.get("call_id") or item.get("id"), item.get("name") or kind.removesuffix("_call"), given)
            )
        elif kind == "message":
            content = item.get("content")
            found.text += (
                content if isinstance(content, str) else "".join(text(p.get("text")) for p in objects(content))
            )
    return found


def _said(api: Api, whole: dict[str, Any]) -> Any:
    choices = objects(whole.get("choices"))
    if api is Api.CHAT:
        return (choices[0].get("message") or {"content": choices[0].get("text")}) if choices else None
    return whole


def _chat(parts: list[dict[str, Any]]) -> Answer:
    """The pieces of the first choice put together."""
    found, calls = Answer(), dict[Any, dict[str, Any]]()
    for delta in _deltas(parts):
        found.text += text(delta.get("content"))
        found.reasoning += text(delta.get("reasoning_content") or delta.get("reasoning"))
        for number, piece in enumerate(objects(delta.get("tool_calls"))):
            call = calls.setdefault(piece.get("index", number), {"id": None, "name": None, "pieces": []})
            call["id"] = piece.get("id") or call["id"]
            call["name"] = inner(piece, "function", "name") or call["name"]
            call["pieces"].append(text(inner(piece, "function", "arguments")))
    found.calls = [(call["id"], call["name"], "".join(call["pieces"])) for call in calls.values()]
    return found


def _deltas(parts: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for part in parts:
        for number, choice in enumerate(objects(part.get("choices"))):
            if choice.get("index", number) == 0 and isinstance(delta := choice.get("delta"), dict):
                yield delta


def _blocks(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Content blocks of a stream of Anthropic's interface."""
    blocks: dict[Any, dict[str, Any]] = {}
    for part in parts:
        at = part.get("index")
        if part.get("type") == "content_block_start":
            block = part.get("content_block")
            blocks[at] = {**(block if isinstance(block, dict) else {}), "pieces": []}
        elif part.get("type") == "content_block_delta" and at in blocks:
            delta, block = part.get("delta"), blocks[at]
            if not isinstance(delta, dict):
                continue
            for name in ("text", "thinking"):
                if isinstance(delta.get(name), str):
                    block[name] = text(block.get(name)) + delta[name]
            if isinstance(delta.get("partial_json"), str):
                block["pieces"].append(delta["partial_json"])
    return [block | ({"input": "".join(block["pieces"])} if block["pieces"] else {}) for block in blocks.values()]
