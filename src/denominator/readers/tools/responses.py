"""Items of the Responses interface: calls and outputs are items of one flat list."""

from __future__ import annotations

from typing import Any

from denominator.readers.tools.conversation import Conversation
from denominator.readers.tools.results import result_digest

ARGUMENTS = ("arguments", "input", "action", "operation", "code", "queries")


def take_items(conversation: Conversation, items: list[Any]) -> tuple[str, ...]:
    """Every call and output of `items`, in order; the returned words say what could not be placed."""
    lost, was_call = 0, False
    for item in items:
        kind = item.get("type") if isinstance(item, dict) else None
        if not isinstance(kind, str):
            was_call = False
        elif kind.endswith("_call"):
            if not was_call:
                conversation.next_turn()
            _call(conversation, item, kind)
            was_call = True
        elif kind.endswith("_call_output"):
            id_ = item.get("call_id") or item.get("id")
            lost += not conversation.result(id_, result_digest(item.get("output") or ""))
            was_call = False
        elif kind == "item_reference":
            lost += 1
        else:
            was_call = was_call and kind == "reasoning"
    return (f"{lost} outputs or references belong to no call that is seen here",) if lost else ()


def _call(conversation: Conversation, item: dict[str, Any], kind: str) -> None:
    arguments = next((item[name] for name in ARGUMENTS if item.get(name) is not None), None)
    id_ = item.get("call_id") or item.get("id")
    conversation.call(id_, item.get("name") or kind.removesuffix("_call"), arguments)
    # What the provider carried out itself holds its output, or none that anybody can see.
    given = next((item[name] for name in ("output", "results", "error") if item.get(name) is not None), None)
    if given is not None:
        conversation.result(id_, result_digest(given))
