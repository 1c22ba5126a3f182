"""Codex CLI's `exec --json`: threads, turns and items, one event a line."""

from __future__ import annotations

from typing import Any

from denominator.readers.trajectories.plain import events, inner, number, total, word
from denominator.readers.trajectories.shape import NO_CALLS, NO_WORD, Parts, Told
from denominator.readers.trajectories.story import Story
from denominator.records.facts import OwnAccount
from denominator.records.values import NotMeasured

SOURCE = "codex"
ENDS = ("turn.completed", "turn.failed", "error")
COST = NotMeasured("codex tells no cost")


def read(parts: Parts) -> Told | NotMeasured:
    """Completed items as steps; usage is summed over turns, cached tokens being part of the input."""
    found = list(events(parts.get("", b"")))
    start = next((e for e in found if e.get("type") == "thread.started"), None)
    if start is None:
        return NotMeasured("no events of codex")
    story = Story(SOURCE, session=word(start.get("thread_id")))
    for event in found:
        if event.get("type") == "item.completed" and isinstance(event.get("item"), dict):
            _item(story, event["item"])
    usages = [event.get("usage") for event in found if event.get("type") == "turn.completed"]

    def sum_of(name: str) -> int | NotMeasured:
        return total([number(inner(one, name)) for one in usages], name.replace("_", " "))

    account = OwnAccount(
        source=SOURCE,
        prompt=sum_of("input_tokens"),
        completion=sum_of("output_tokens"),
        cached=sum_of("cached_input_tokens"),
        cost=COST,
        calls=NO_CALLS,
    )
    ended = [str(event["type"]) for event in found if event.get("type") in ENDS]
    return Told(atif=story.document(account), account=account, said=ended[-1] if ended else NO_WORD)


def _item(story: Story, item: dict[str, Any]) -> None:
    kind, id_ = item.get("type"), item.get("id")
    if kind == "agent_message":
        story.act(item.get("text"))
    elif kind == "reasoning":
        story.act("", reasoning=item.get("text"))
    elif kind == "command_execution":
        story.act("", [(id_, "shell", {"command": item.get("command")})])
        story.result(id_, item.get("aggregated_output"))
    elif kind == "mcp_tool_call":
        story.act("", [(id_, item.get("tool"), item.get("arguments"))])
        story.result(id_, item.get("result") or item.get("error"))
    elif kind == "error":
        story.say("system", item.get("message"))
    else:
        story.act("", [(id_, kind, {key: value for key, value in item.items() if key not in ("id", "type")})])
