"""OpenHands CLI's `--json`: events of its agent SDK as JSON, with other lines between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from denominator.readers.trajectories.plain import document, events, inner, text, word
from denominator.readers.trajectories.shape import NO_WORD, Parts, Told
from denominator.readers.trajectories.story import Story
from denominator.records.facts import OwnAccount
from denominator.records.values import NotMeasured

SOURCE = "openhands"
MARK = b"--JSON Event--"
NO_USAGE = NotMeasured("the events tell no usage")
KINDS = ("MessageEvent", "ActionEvent", "ObservationEvent", "SystemPromptEvent", "AgentErrorEvent")


def read(parts: Parts) -> Told | NotMeasured:
    """Events as steps. They tell no tokens and no cost."""
    found = list(_events(parts.get("", b"")))
    if not any(event.get("kind") in KINDS for event in found):
        return NotMeasured("no events of OpenHands")
    story = Story(SOURCE)
    for event in found:
        _step(story, event)
    account = OwnAccount(
        source=SOURCE, prompt=NO_USAGE, completion=NO_USAGE, cached=NO_USAGE, cost=NO_USAGE, calls=NO_USAGE
    )
    return Told(atif=story.document(account), account=account, said=_said(found))


def _events(data: bytes) -> Iterator[dict[str, Any]]:
    """An event is one line, or several lines behind a mark of its own."""
    if MARK not in data:
        yield from events(data)
        return
    for block in data.split(MARK)[1:]:
        end = block.rfind(b"}")
        if isinstance(found := document(block[: end + 1].strip()), dict):
            yield found
        else:
            yield from events(block)


def _step(story: Story, event: dict[str, Any]) -> None:
    kind, when = event.get("kind"), word(event.get("timestamp"))
    if kind == "MessageEvent":
        content = inner(event, "llm_message", "content")
        if event.get("source") == "agent":
            story.act(content, at=when)
        else:
            story.say("user", content, at=when)
    elif kind == "SystemPromptEvent":
        story.say("system", inner(event, "system_prompt", "text"), at=when)
    elif kind == "ActionEvent":
        # An action that did not hold is null; what the model asked for stands in its call.
        given = event.get("action") or inner(event, "tool_call", "arguments")
        call = (event.get("tool_call_id"), event.get("tool_name"), given)
        story.act(event.get("thought"), [call], reasoning=event.get("reasoning_content"), at=when)
    elif kind == "ObservationEvent":
        content = inner(event, "observation", "content") or event.get("observation")
        story.result(event.get("tool_call_id"), content, at=when)
    elif kind == "AgentErrorEvent":
        story.result(event.get("tool_call_id"), event.get("error"), at=when)


def _said(found: list[dict[str, Any]]) -> str | NotMeasured:
    """`error` where the conversation broke; `finished` where its last event is a message or the finish of the agent."""
    kinds = [text(event.get("kind")) for event in found]
    if "ConversationErrorEvent" in kinds:
        return "error"
    last = found[-1]
    ends = last.get("source") == "agent" and kinds[-1] == "MessageEvent"
    return "finished" if ends or last.get("tool_name") == "finish" else NO_WORD
