"""The history that a request carries: its system text, its messages or items, and how one request goes on from another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from denominator.wire.providers.loose import as_dict

_SYSTEM = ("system", "developer")
_HISTORY = ("messages", "input", "prompt")
_INLINE = 16_384
"""What one picture or file may cost beside its bytes: small pictures are cut into tiles of a fixed price."""
_BINARY = ("image", "audio", "file", "document", "video")
_ELSEWHERE = ("file_id", "file_url", "image_url", "url")


@dataclass(frozen=True, slots=True)
class Link:
    """A digest of everything from the beginning of a request up to a message, and the bytes of the messages so far."""

    sha256: str
    bytes: int


def sha_of(value: Any) -> str:
    """sha256 of canonical JSON."""
    return hashlib.sha256(_bytes(value)).hexdigest()


def _bytes(value: Any) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def system_of(data: Mapping[str, Any]) -> list[str]:
    """System texts and instructions, wherever an interface puts them: a member, or messages before the first other one."""
    texts = [text for name in ("system", "instructions") if (text := _said(data.get(name)))]
    for turn in _turns(data):
        if as_dict(turn).get("role") not in _SYSTEM:
            break
        texts.append(_said(turn.get("content")))
    return [text for text in texts if text]


def turns_of(data: Mapping[str, Any]) -> list[Any]:
    """The messages or items that follow the system text."""
    turns = _turns(data)
    while turns and as_dict(turns[0]).get("role") in _SYSTEM:
        turns = turns[1:]
    return turns


def _turns(data: Mapping[str, Any]) -> list[Any]:
    for name in _HISTORY:
        value = data.get(name)
        if isinstance(value, list):
            return value
        if isinstance(value, str):
            return [{"role": "user", "content": value}]
    return []


def _said(content: Any) -> str:
    """The text of a content: itself, or of its text parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part if isinstance(part, str) else as_dict(part).get("text") for part in parts)
    return "".join(text for text in texts if isinstance(text, str))


def chain_of(data: Mapping[str, Any], turns: list[Any]) -> tuple[Link, ...]:
    """One link a message. Two requests with an equal link are equal up to that message, tools and system text included."""
    frame = {name: value for name, value in data.items() if name in ("model", "system", "instructions")}
    frame |= {"tools": data.get("tools") or data.get("functions"), "format": data.get("response_format")}
    at = hashlib.sha256(_bytes([frame, system_of(data)]))
    links, size = [], 0
    for turn in turns:
        told = _bytes(turn)
        size += len(told)
        at.update(hashlib.sha256(told).digest())
        links.append(Link(at.hexdigest(), size))
    return tuple(links)


def hidden_of(data: Mapping[str, Any], turns: list[Any]) -> str:
    """What the prompt holds that the request does not: history or files that only the provider has; "": nothing."""
    if any(data.get(name) is not None for name in ("previous_response_id", "conversation")):
        return "history that only the provider has"
    if isinstance(data.get("prompt"), dict):
        return "a prompt that only the provider has"
    if any(_is_elsewhere(part) for turn in turns for part in parts_of(turn)):
        return "a picture or a file that is only named"
    return ""


def parts_of(turn: Any) -> Iterable[Mapping[str, Any]]:
    """The parts of a message's content, and those of a tool's result in it."""
    said = as_dict(turn)
    if said.get("type") == "item_reference":
        yield {"type": "file", "file_id": "item"}
    for held in (said.get("content"), said.get("output")):
        for part in held if isinstance(held, list) else ():
            yield as_dict(part)
            yield from parts_of(part) if as_dict(part).get("type") == "tool_result" else ()


def is_binary(part: Mapping[str, Any]) -> bool:
    """Is a part something else than text?"""
    kind = part.get("type")
    return isinstance(kind, str) and any(word in kind for word in _BINARY)


def _is_elsewhere(part: Mapping[str, Any]) -> bool:
    if not is_binary(part):
        return False
    held = [part, *(inner for inner in part.values() if isinstance(inner, dict))]
    named = (each.get(name) for each in held for name in _ELSEWHERE)
    return any(isinstance(value, str) and not value.startswith("data:") for value in named)


def binary_tokens(turns: Iterable[Any]) -> int:
    """What pictures and files may cost beside their bytes."""
    return sum(_INLINE for turn in turns for part in parts_of(turn) if is_binary(part))
