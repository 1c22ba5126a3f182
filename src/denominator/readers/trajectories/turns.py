"""The history that a request to a model carries, turn by turn, in one form for every interface."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from denominator.readers.trajectories.answers import Answer, of_items, of_message
from denominator.readers.trajectories.plain import objects
from denominator.wire.providers import Api

SYSTEM = ("system", "developer")


@dataclass(frozen=True, slots=True)
class Turn:
    """Something in a history: a message of the system or the user, a result of a call (`id`), or an answer of the model."""

    kind: str
    content: Any = None
    id: Any = None
    answer: Answer = field(default_factory=Answer)


def turns_of(api: Api, request: dict[str, Any]) -> Iterator[Turn]:
    """The history that a request carries."""
    for name in ("system", "instructions"):
        if request.get(name):
            yield Turn("system", _bare(request[name]))
    history = request.get("input" if api is Api.RESPONSES else "messages", request.get("prompt"))
    if isinstance(history, str):
        yield Turn("user", history)
    for item in objects(history):
        yield from _items(item) if api is Api.RESPONSES else _message(item)


def _items(item: dict[str, Any]) -> Iterator[Turn]:
    kind = str(item.get("type") or "message")
    if kind.endswith("_call_output"):
        yield Turn("result", item.get("output"), item.get("call_id") or item.get("id"))
    elif kind.endswith("_call") or (kind == "message" and item.get("role") == "assistant"):
        yield Turn("answer", answer=of_items([item]))
    elif kind == "message":
        yield Turn("system" if item.get("role") in SYSTEM else "user", item.get("content"))


def _message(message: dict[str, Any]) -> Iterator[Turn]:
    role, content = message.get("role"), message.get("content")
    if role in ("assistant", "model"):
        yield Turn("answer", answer=of_message(message))
    elif role in ("tool", "function"):
        yield Turn("result", _bare(content), message.get("tool_call_id"))
    else:
        others = []
        for block in objects(content):
            if str(block.get("type")).endswith("tool_result"):
                yield Turn("result", _bare(block.get("content")), block.get("tool_use_id"))
            else:
                others.append(_bare(block))
        if isinstance(content, str) or others:
            yield Turn("system" if role in SYSTEM else "user", content if isinstance(content, str) else others)


def mark_of(turn: Turn) -> str:
    """What tells that a turn was shown before. A result is known by its call: agents cut old results, and the first one stays."""
    told = turn.id if turn.kind == "result" and turn.id else turn.content
    return json.dumps([turn.kind, told], sort_keys=True, default=str)


def joined(content: Any) -> Any:
    """Text parts one after another, as the model read them and as a digest of a result is made."""
    parts = content if isinstance(content, list) else []
    texts = [one if isinstance(one, str) else one.get("text") if isinstance(one, dict) else None for one in parts]
    known = [one for one in texts if isinstance(one, str)]
    return "".join(known) if parts and len(known) == len(parts) else content


def _bare(value: Any) -> Any:
    """A content without the marks that a client moves along to steer the provider's cache."""
    if isinstance(value, dict):
        return {name: _bare(one) for name, one in value.items() if name != "cache_control"}
    return [_bare(one) for one in value] if isinstance(value, list) else value
