"""What an attempt did as the gateway saw it: a step for each answer of the model, and what it was shown before.

Every request repeats the history, so only what is new in it is told. An answer is told from its own body; assistant messages
that the first request of a conversation holds already were made elsewhere and are marked as copied. Conversations that have
another beginning are sub-agents, or the agent began anew: each is a story of its own.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from denominator.readers.tools.wire_calls import ALL_BYTES_MAX, api_of_call, plain, told_calls
from denominator.readers.trajectories.answers import Answer, answer_of, of_items, of_message
from denominator.readers.trajectories.plain import arguments_exact, document, objects
from denominator.readers.trajectories.story import Story
from denominator.records.events import Json
from denominator.records.rows import CallRow
from denominator.wire.providers import Api

Bodies = Callable[[str], bytes]
"""Digest -> bytes as they passed. Raises `KeyError` where they are not there or are damaged."""
NO_BODY = "(the bodies of this call were not kept, or are too large to be told)"
SYSTEM = ("system", "developer")


@dataclass(frozen=True, slots=True)
class Turn:
    """Something in a history: a message of the system or the user, a result of a call (`id`), or an answer of the model."""

    kind: str
    content: Any = None
    id: Any = None
    answer: Answer = field(default_factory=Answer)


def wire_stories(calls: Iterable[CallRow], bodies: Bodies, new: Callable[[], Story]) -> list[Story]:
    """One story a conversation, in the order in which they began. `calls` are those of one incarnation."""
    threads: dict[str, _Thread] = {}
    bodies = _within(bodies, ALL_BYTES_MAX)
    for call in told_calls(calls):
        name = call.thread if isinstance(call.thread, str) else ""
        if name not in threads:
            threads[name] = _Thread(new())
        threads[name].take(call, bodies)
    return [thread.story for thread in threads.values()]


def _within(bodies: Bodies, most: int) -> Bodies:
    """Bodies until so many bytes were read; the others count as not kept, however much an agent sent."""
    left = most

    def read(sha256: str) -> bytes:
        nonlocal left
        data = bodies(sha256) if left > 0 else b""
        left -= len(data)
        if left <= 0:
            raise KeyError(sha256)
        return data

    return read


class _Thread:
    """One conversation so far."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self._told: Counter[str] = Counter()
        self._first = True

    def take(self, call: CallRow, bodies: Bodies) -> None:
        """What the request shows anew, then the answer."""
        api = api_of_call(call)
        request = document(_body(call, call.request_sha256, bodies))
        if isinstance(request, dict):
            self._shown(list(_turns(api, request)), _at(call))
            self._first = False
        if call.outcome != "ok":
            self.story.say("system", _failed(call), at=_at(call))
            return
        answer = answer_of(api, plain(_body(call, call.response_sha256, bodies), call))
        self._answered(call, Answer(text=NO_BODY) if answer is None else answer)

    def _shown(self, turns: list[Turn], at: str | None) -> None:
        seen: Counter[str] = Counter()
        for turn in turns:
            if turn.kind == "answer":
                if self._first:
                    self._act(turn.answer)["is_copied_context"] = True
                continue
            mark = _mark(turn)
            seen[mark] += 1
            if seen[mark] <= self._told[mark]:
                continue
            self._told[mark] += 1
            if turn.kind == "result":
                self.story.result(turn.id, _joined(turn.content), at=at)
            else:
                self.story.say(turn.kind, turn.content, at=at)

    def _act(self, answer: Answer, **more: Any) -> dict[str, Any]:
        self.story.act(answer.text, answer.calls, reasoning=answer.reasoning, **more)
        step: dict[str, Any] = self.story.steps[-1]
        for told, (_, _, given) in zip(step.get("tool_calls", ()), answer.calls, strict=True):
            told["arguments"] = arguments_exact(given)
        return step

    def _answered(self, call: CallRow, answer: Answer) -> None:
        used = {"prompt": call.usage.prompt, "completion": call.usage.completion, "cached": call.usage.cached_read}
        model = next((one for one in (call.served_model, call.asked_model) if isinstance(one, str)), None)
        step = self._act(answer, usage=used, model=model, at=_at(call))
        step["llm_call_count"] = 1
        step["extra"] = dict(_about(call))


def _mark(turn: Turn) -> str:
    """What tells that a turn was shown before. A result is known by its call: agents cut old results, and the first one stays."""
    told = turn.id if turn.kind == "result" and turn.id else turn.content
    return json.dumps([turn.kind, told], sort_keys=True, default=str)


def _bare(value: Any) -> Any:
    """A content without the marks that a client moves along to steer the provider's cache."""
    if isinstance(value, dict):
        return {name: _bare(one) for name, one in value.items() if name != "cache_control"}
    return [_bare(one) for one in value] if isinstance(value, list) else value


def _joined(content: Any) -> Any:
    """Text parts one after another, as the model read them and as a digest of a result is made."""
    parts = content if isinstance(content, list) else []
    texts = [one if isinstance(one, str) else one.get("text") if isinstance(one, dict) else None for one in parts]
    known = [one for one in texts if isinstance(one, str)]
    return "".join(known) if parts and len(known) == len(parts) else content


def _at(call: CallRow) -> str | None:
    return call.started_at if isinstance(call.started_at, str) else None


def _about(call: CallRow) -> Iterator[tuple[str, Json]]:
    yield "call", call.seq
    for name in ("finish", "first_byte_ms", "last_byte_ms", "request_sha256", "response_sha256"):
        if isinstance(value := getattr(call, name), str | int):
            yield name, value


def _failed(call: CallRow) -> str:
    """Why a call gave no answer, in words of its row."""
    why = [str(one) for one in (call.error, call.status) if isinstance(one, str | int)]
    words = {"retry": "failed and was tried again", "open": "has no recorded end"}
    return f"call {call.seq} of the model {words.get(call.outcome, 'gave no answer')}" + (
        f": {', '.join(why)}" if why else ""
    )


def _body(call: CallRow, sha: Any, bodies: Bodies) -> bytes:
    if call.bodies_kept is not True or not isinstance(sha, str):
        return b""
    try:
        return bodies(sha)
    except KeyError:
        return b""


def _turns(api: Api, request: dict[str, Any]) -> Iterator[Turn]:
    """The history that a request carries."""
    for name in ("system", "instructions"):
        if request.get(name):
            yield Turn("system", _bare(request[name]))
    history = request.get("input" if api is Api.RESPONSES else "messages", request.get("prompt"))
    if isinstance(history, str):
        yield Turn("user", history)
    for item in objects(history):
        yield from _items(item) if api is Api.RESPONSES else _message(item)


def _items(item: dict[str, Any]) -> Iterator[Turn]:
    kind = str(item.get("type") or "message")
    if kind.endswith("_call_output"):
        yield Turn("result", item.get("output"), item.get("call_id") or item.get("id"))
    elif kind.endswith("_call") or (kind == "message" and item.get("role") == "assistant"):
        yield Turn("answer", answer=of_items([item]))
    elif kind == "message":
        yield Turn("system" if item.get("role") in SYSTEM else "user", item.get("content"))


def _message(message: dict[str, Any]) -> Iterator[Turn]:
    role, content = message.get("role"), message.get("content")
    if role in ("assistant", "model"):
        yield Turn("answer", answer=of_message(message))
    elif role in ("tool", "function"):
        yield Turn("result", _bare(content), message.get("tool_call_id"))
    else:
        others = []
        for block in objects(content):
            if str(block.get("type")).endswith("tool_result"):
                yield Turn("result", _bare(block.get("content")), block.get("tool_use_id"))
            else:
                others.append(_bare(block))
        if isinstance(content, str) or others:
            yield Turn("system" if role in SYSTEM else "user", content if isinstance(content, str) else others)
