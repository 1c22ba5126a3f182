"""opencode's `run --format json`: parts of messages as they are finished, one event a line."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from denominator.readers.trajectories.plain import dollars, events, inner, number, objects, stamp, total, word
from denominator.readers.trajectories.shape import NO_WORD, Parts, Told
from denominator.readers.trajectories.story import Story
from denominator.records.facts import OwnAccount
from denominator.records.values import NotMeasured

SOURCE = "opencode"
KINDS = ("step_start", "step_finish", "text", "reasoning", "tool_use", "error")


def read(parts: Parts) -> Told | NotMeasured:
    """Parts as steps; each `step_finish` is one model call with its tokens, cache reads and writes beside the input."""
    found = [event for event in events(parts.get("", b"")) if event.get("type") in KINDS]
    if not any(isinstance(event.get("sessionID"), str) for event in found):
        return NotMeasured("no events of opencode")
    session = next(event["sessionID"] for event in found if isinstance(event.get("sessionID"), str))
    story = Story(SOURCE, session=session)
    for event in found:
        _step(story, event)
    account = _account([inner(event, "part") for event in found if event.get("type") == "step_finish"])
    return Told(atif=story.document(account), account=account, said=_said(found))


def _step(story: Story, event: dict[str, Any]) -> None:
    kind, part = event.get("type"), event.get("part")
    millis = number(event.get("timestamp"))
    at = stamp(Decimal(millis) / 1000) if millis is not None else None
    if kind == "text":
        story.act(inner(part, "text"), at=at)
    elif kind == "reasoning":
        story.act("", reasoning=inner(part, "text"), at=at)
    elif kind == "tool_use":
        state = inner(part, "state")
        id_ = inner(part, "callID")
        story.act("", [(id_, inner(part, "tool"), inner(state, "input"))], at=at)
        story.result(id_ or f"call-{len(story.calls)}", inner(state, "output") or inner(state, "error"))
    elif kind == "error":
        story.say("system", event.get("error"), at=at)


def _account(steps: list[Any]) -> OwnAccount:
    def sum_of(*ways: tuple[str, ...]) -> int | NotMeasured:
        return total([number(inner(step, "tokens", *way)) for step in steps for way in ways], "tokens")

    costs = [step.get("cost") for step in objects(steps)]
    known = [Decimal(cost) for cost in costs if isinstance(cost, int | Decimal) and not isinstance(cost, bool)]
    return OwnAccount(
        source=SOURCE,
        prompt=sum_of(("input",), ("cache", "read"), ("cache", "write")),
        completion=sum_of(("output",), ("reasoning",)),
        cached=sum_of(("cache", "read")),
        cost=dollars(sum(known, Decimal(0))) if costs and len(known) == len(costs) else dollars(None),
        calls=len(steps),
    )


def _said(found: list[dict[str, Any]]) -> str | NotMeasured:
    """`error` where the last thing told is one, else the reason of the last finished step."""
    ends = [event for event in found if event.get("type") in ("step_finish", "error")]
    if ends and ends[-1].get("type") == "error":
        return "error"
    return word(inner(ends[-1], "part", "reason") if ends else None) or NO_WORD
