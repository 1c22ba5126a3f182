"""Claude Code's `--output-format stream-json`: one event a line, an answer spread over several of them."""

from __future__ import annotations

from typing import Any

from denominator.readers.trajectories.plain import dollars, events, inner, number, objects, total, word
from denominator.readers.trajectories.shape import NO_CALLS, NO_WORD, Parts, Told
from denominator.readers.trajectories.story import Call, Story
from denominator.records.facts import OwnAccount
from denominator.records.values import NotMeasured

SOURCE = "claude-code"
INPUTS = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def read(parts: Parts) -> Told | NotMeasured:
    """Every content block is a step of the agent; usage is that of the last event, which sums all models."""
    found = list(events(parts.get("", b"")))
    init = next((e for e in found if (e.get("type"), e.get("subtype")) == ("system", "init")), None)
    if init is None:
        return NotMeasured("no events of Claude Code")
    version, model, session = (word(init.get(name)) for name in ("claude_code_version", "model", "session_id"))
    story = Story(SOURCE, version or "", model, session)
    for event in found:
        _step(story, event)
    last: dict[str, Any] = next((e for e in reversed(found) if e.get("type") == "result"), {})
    account = _account(last)
    return Told(atif=story.document(account), account=account, said=_said(last))


def _step(story: Story, event: dict[str, Any]) -> None:
    content = inner(event, "message", "content")
    if event.get("type") == "assistant":
        for block in objects(content):
            _block(story, block, inner(event, "message", "model"))
    elif event.get("type") == "user":
        for block in objects(content):
            if block.get("type") == "tool_result":
                story.result(block.get("tool_use_id"), block.get("content"))
            else:
                story.say("user", [block])
        if isinstance(content, str):
            story.say("user", content)


def _block(story: Story, block: dict[str, Any], model: Any) -> None:
    calls: list[Call] = []
    if block.get("type") == "tool_use":
        calls = [(block.get("id"), block.get("name"), block.get("input"))]
    thought = block.get("thinking") if block.get("type") == "thinking" else None
    story.act(block.get("text"), calls, reasoning=thought, model=model)


def _account(last: dict[str, Any]) -> OwnAccount:
    by_model = inner(last, "modelUsage")
    usage = inner(last, "usage")
    rows: list[Any] = list(by_model.values()) if isinstance(by_model, dict) and by_model else []
    names = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "outputTokens")
    if not rows and isinstance(usage, dict):
        rows, names = [usage], (*INPUTS, "output_tokens")

    def sum_of(*wanted: str) -> int | NotMeasured:
        return total([number(inner(row, name)) for row in rows for name in wanted], "tokens")

    return OwnAccount(
        source=SOURCE,
        prompt=sum_of(*names[:3]),
        completion=sum_of(names[3]),
        cached=sum_of(names[1]),
        cost=dollars(inner(last, "total_cost_usd")),
        calls=NO_CALLS,
    )


def _said(last: dict[str, Any]) -> str | NotMeasured:
    """The subtype of the last event; an error of the API is told as `success` with an error mark."""
    said = last.get("subtype")
    if said == "success" and last.get("is_error") is True:
        return "api_error"
    return word(said) or NO_WORD
