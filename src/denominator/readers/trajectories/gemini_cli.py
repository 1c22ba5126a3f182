"""Gemini CLI's `--output-format stream-json`: messages in pieces, tool calls, and the sums at the end."""

from __future__ import annotations

from typing import Any

from denominator.readers.trajectories.plain import events, inner, number, text, word
from denominator.readers.trajectories.shape import NO_CALLS, NO_WORD, Parts, Told
from denominator.readers.trajectories.story import Story
from denominator.records.facts import OwnAccount
from denominator.records.values import NotMeasured

SOURCE = "gemini-cli"
COST = NotMeasured("Gemini CLI tells no cost")
NO_STATS = NotMeasured("the events tell no sums")


def read(parts: Parts) -> Told | NotMeasured:
    """Events as steps, pieces of one message joined; tokens are the sums of the last event."""
    found = list(events(parts.get("", b"")))
    init = next((event for event in found if event.get("type") == "init"), None)
    if init is None or not isinstance(init.get("session_id"), str):
        return NotMeasured("no events of Gemini CLI")
    story = Story(SOURCE, model=word(init.get("model")), session=init["session_id"])
    _tell(story, found)
    last: dict[str, Any] = next((event for event in reversed(found) if event.get("type") == "result"), {})

    def told(name: str) -> int | NotMeasured:
        count = number(inner(last, "stats", name))
        return NO_STATS if count is None else count

    account = OwnAccount(
        source=SOURCE,
        prompt=told("input_tokens"),
        completion=told("output_tokens"),
        cached=told("cached"),
        cost=COST,
        calls=NO_CALLS,
    )
    return Told(atif=story.document(account), account=account, said=word(last.get("status")) or NO_WORD)


def _tell(story: Story, found: list[dict[str, Any]]) -> None:
    held: list[str] = []
    for event in found:
        piece = event.get("type") == "message" and event.get("role") == "assistant"
        if piece:
            held.append(text(event.get("content")))
        elif held:
            story.act("".join(held))
            held.clear()
        if not piece:
            _step(story, event)
    if held:
        story.act("".join(held))


def _step(story: Story, event: dict[str, Any]) -> None:
    kind, when = event.get("type"), word(event.get("timestamp"))
    if kind == "message":
        story.say("user", event.get("content"), at=when)
    elif kind == "tool_use":
        story.act("", [(event.get("tool_id"), event.get("tool_name"), event.get("parameters"))], at=when)
    elif kind == "tool_result":
        story.result(event.get("tool_id"), event.get("output") or event.get("error"), at=when)
    elif kind == "error":
        story.say("system", event.get("message"), at=when)
