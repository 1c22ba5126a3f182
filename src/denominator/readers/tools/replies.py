"""Answers of the Responses interface, whole or streamed: their id and the items that they hold."""

from __future__ import annotations

from typing import Any

from denominator.wire.sse import SseReader
from denominator.wire.strict import read

_ENDS = ("response.completed", "response.incomplete", "response.failed")


def reply_of(body: bytes) -> tuple[str, list[Any]]:
    """Id and items, or ("", []) when the body shows neither."""
    whole, refusal = read(body, "decimal")
    if refusal is None:
        return _taken(whole)
    id_, items = "", []
    for event in SseReader().feed(body, last=True):
        data, refusal = read(event.data, "decimal")
        if refusal is not None or not isinstance(data, dict):
            continue
        kind = data.get("type")
        if kind in _ENDS:
            return _taken(data.get("response"))
        if kind == "response.created":
            id_, _ = _taken(data.get("response"))
        elif kind == "response.output_item.done":
            items.append(data.get("item"))
    return id_, items


def _taken(document: Any) -> tuple[str, list[Any]]:
    if not isinstance(document, dict):
        return "", []
    id_, items = document.get("id"), document.get("output")
    return id_ if isinstance(id_, str) else "", items if isinstance(items, list) else []
