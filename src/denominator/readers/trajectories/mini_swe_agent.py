"""mini-swe-agent's trajectory file (`mini-swe-agent-1` and `1.1`): the messages of the conversation with answers inside."""

from __future__ import annotations

from typing import Any

from denominator.readers.trajectories.plain import document, dollars, inner, number, objects, stamp, total, word
from denominator.readers.trajectories.shape import NO_WORD, Parts, Told
from denominator.readers.trajectories.story import Call, Story
from denominator.records.facts import OwnAccount
from denominator.records.values import NotMeasured

SOURCE = "mini-swe-agent"


def read(parts: Parts) -> Told | NotMeasured:
    """The messages as steps; tokens are what the answers say, calls and cost what the agent counts."""
    found = document(parts.get("", b""))
    if not str(inner(found, "trajectory_format") or "").startswith("mini-swe-agent"):
        return NotMeasured("no trajectory of mini-swe-agent")
    model = word(inner(found, "info", "config", "model", "model_name"))
    story = Story(SOURCE, word(inner(found, "info", "mini_version")) or "", model)
    messages = objects(found.get("messages"))
    for message in messages:
        _step(story, message)
    account = _account(found, messages)
    said = word(inner(found, "info", "exit_status")) or NO_WORD
    return Told(atif=story.document(account), account=account, said=said)


def _step(story: Story, message: dict[str, Any]) -> None:
    role, content, extra = message.get("role"), message.get("content"), message.get("extra")
    at = stamp(inner(extra, "timestamp"))
    if role == "assistant":
        story.act(content, _calls(message), reasoning=message.get("reasoning_content"), usage=_usage(message), at=at)
    elif role == "tool":
        story.result(message.get("tool_call_id"), content, at=at)
    else:
        story.say("user" if role == "user" else "system", content, at=at)


def _calls(message: dict[str, Any]) -> list[Call]:
    called = objects(message.get("tool_calls"))
    if called:
        return [(c.get("id"), inner(c, "function", "name"), inner(c, "function", "arguments")) for c in called]
    actions = objects(inner(message, "extra", "actions"))
    return [(None, "bash", action) for action in actions]


def _usage(message: dict[str, Any]) -> dict[str, Any]:
    told = inner(message, "extra", "response", "usage")
    return {
        "prompt": inner(told, "prompt_tokens"),
        "completion": inner(told, "completion_tokens"),
        "cached": inner(told, "prompt_tokens_details", "cached_tokens"),
    }


def _account(found: Any, messages: list[dict[str, Any]]) -> OwnAccount:
    answered = [_usage(m) for m in messages if isinstance(inner(m, "extra", "response"), dict)]
    calls = number(inner(found, "info", "model_stats", "api_calls"))
    # A call that failed, or whose answer was dropped, is counted by the agent and has no usage here.
    unseen: list[dict[str, Any]] = [{}] * max(0, (calls or 0) - len(answered))

    def sum_of(name: str) -> int | NotMeasured:
        return total([number(one.get(name)) for one in [*answered, *unseen]], f"{name} tokens")

    return OwnAccount(
        source=SOURCE,
        prompt=sum_of("prompt"),
        completion=sum_of("completion"),
        cached=sum_of("cached"),
        cost=dollars(inner(found, "info", "model_stats", "instance_cost")),
        calls=NotMeasured("the agent tells no number of calls") if calls is None else calls,
    )
