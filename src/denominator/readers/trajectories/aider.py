"""aider's chat history (Markdown) and its event log (JSON lines, where the exact token counts stand)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from denominator.readers.trajectories.plain import dollars, events, inner, number, total, word
from denominator.readers.trajectories.shape import NO_WORD, Parts, Told
from denominator.readers.trajectories.story import Story
from denominator.records.facts import OwnAccount
from denominator.records.values import NotMeasured

SOURCE = "aider"
START = "# aider chat started at "
ASKED, SHOWN = "#### ", "> "
VERSION = re.compile(r"^> Aider v(\S+)", re.MULTILINE)
NO_LOG = NotMeasured("aider left no event log; its chat history rounds the counts")
NO_CACHE = NotMeasured("aider's event log tells no cached tokens")


def read(parts: Parts) -> Told | NotMeasured:
    """The chat as steps: `####` lines are the user's, quoted lines aider's own, everything else the model's."""
    text = parts.get("", b"").decode("utf-8", "replace")
    if START not in text:
        return NotMeasured("no chat history of aider")
    logged = list(events(parts.get("events", b"")))
    model, version = next(_models(logged), None), VERSION.search(text)
    story = Story(SOURCE, version[1] if version else "", word(model))
    for kind, block in _blocks(text):
        if kind == "agent":
            story.act(block)
        else:
            story.say(kind, block)
    account = _account(logged)
    return Told(atif=story.document(account), account=account, said=_said(logged))


def _models(logged: list[dict[str, Any]]) -> Iterator[Any]:
    return (model for event in logged if (model := inner(event, "properties", "main_model")))


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Runs of lines of one kind, empty runs left out. In a fenced block of the model nothing else is looked for."""
    kind, held, fenced = "system", list[str](), False
    for line in text.split("\n"):
        found = "agent" if fenced else _kind(line)
        if found == "agent" and line.startswith("```"):
            fenced = not fenced
        if found != kind and (line.strip() or fenced):
            if body := "\n".join(held).strip():
                yield kind, body
            kind, held = found, []
        held.append(line if kind == "agent" else line.removeprefix(ASKED if kind == "user" else SHOWN))
    if body := "\n".join(held).strip():
        yield kind, body


def _kind(line: str) -> str:
    if line.startswith(ASKED):
        return "user"
    return "system" if line.startswith((SHOWN, START)) or line.rstrip() == ">" else "agent"


def _account(logged: list[dict[str, Any]]) -> OwnAccount:
    if not logged:
        return OwnAccount(source=SOURCE, prompt=NO_LOG, completion=NO_LOG, cached=NO_LOG, cost=NO_LOG, calls=NO_LOG)
    sent = [event.get("properties") for event in logged if event.get("event") == "message_send"]

    def sum_of(name: str) -> int | NotMeasured:
        return total([number(inner(one, name)) for one in sent], name.replace("_", " "))

    return OwnAccount(
        source=SOURCE,
        prompt=sum_of("prompt_tokens"),
        completion=sum_of("completion_tokens"),
        cached=NO_CACHE,
        cost=dollars(inner(sent[-1], "total_cost")) if sent else NotMeasured("aider sent no message"),
        calls=len(sent),
    )


def _said(logged: list[dict[str, Any]]) -> str | NotMeasured:
    """The reason of the exit; but aider ends in order too when no message of its got an answer."""
    names = [event.get("event") for event in logged]
    if "message_send_exception" in names and "message_send" not in names:
        return "message_send_exception"
    reasons = [inner(event, "properties", "reason") for event in logged if event.get("event") == "exit"]
    return word(reasons[-1] if reasons else None) or NO_WORD
