"""What an attempt did as the gateway saw it: a step for each answer of the model, and what it was shown before.

Every request repeats the history, so only what is new in it is told. An answer is told from its own body; assistant messages
that the first request of a conversation holds already were made elsewhere and are marked as copied. Conversations that have
another beginning are sub-agents, or the agent began anew: each is a story of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from denominator.readers.tools.wire_calls import ALL_BYTES_MAX, api_of_call, plain, told_calls
from denominator.readers.trajectories.answers import Answer, answer_of
from denominator.readers.trajectories.plain import arguments_exact, document
from denominator.readers.trajectories.story import Story
from denominator.readers.trajectories.turns import Turn, joined, mark_of, turns_of
from denominator.records.events import Json
from denominator.records.rows import CallRow

Bodies = Callable[[str], bytes]
"""Digest -> bytes as they passed. Raises `KeyError` where they are not there or are damaged."""
NO_BODY = "(the bodies of this call were not kept, or are too large to be told)"


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
            self._shown(list(turns_of(api, request)), _at(call))
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
            mark = mark_of(turn)
            seen[mark] += 1
            if seen[mark] <= self._told[mark]:
                continue
            self._told[mark] += 1
            if turn.kind == "result":
                self.story.result(turn.id, joined(turn.content), at=at)
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
