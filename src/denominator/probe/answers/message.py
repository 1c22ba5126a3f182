"""One answer put together from its documents: text, reasoning, calls, how it says it ended, every count it gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.probe.answers.calls import Calls
from denominator.probe.answers.pieces import Body, Form, Piece
from denominator.wire.providers.loose import as_dict
from denominator.wire.providers.usage import says_something

REASONING = ("reasoning_content", "reasoning", "reasoning_text", "reasoning_details", "thinking")
LOOSE_ERRORS = ("errors", "error_msg", "error_message", "error_code", "detail")
"""Words in which servers tell an error where there is no answer beside it."""
TOLD, CODED = ("message", "msg"), ("code", "status", "status_code", "success")
"""A text with a code, likewise."""


@dataclass(slots=True)
class Message:
    """What was said. Lists are in the order in which it came.

    `chosen`: there was a choice at all; `begun`: a message or a delta in it. `finishes` are the values of finish_reason
    that are not null, of any type. `usages` are those that are not null. `first_at` is the size of the body at the first
    text or call; 0 where none came.
    """

    chosen: bool = False
    begun: bool = False
    texts: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    thinking: bool = False
    refusal: bool = False
    odd_content: bool = False
    calls: Calls = field(default_factory=Calls)
    finishes: list[Any] = field(default_factory=list)
    usages: list[Any] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    fingerprints: list[str] = field(default_factory=list)
    errors: int = 0
    choice_errors: int = 0
    first_at: int = 0

    @property
    def text(self) -> str:
        """The content. Halves of a surrogate pair that came apart are joined; one that stays alone is U+FFFD."""
        return whole_text("".join(self.texts))

    @property
    def thought(self) -> str:
        """The reasoning that stands beside it."""
        return whole_text("".join(self.reasoning))

    @property
    def finish(self) -> Any:
        """The last finish reason that says something; "" where only empty ones came, None where none did."""
        return next((one for one in reversed(self.finishes) if one != ""), "" if self.finishes else None)

    @property
    def usage(self) -> Any:
        """The last usage that says something."""
        return self.usages[-1] if self.usages else None


def whole_text(text: str) -> str:
    """Text without surrogates."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def read_message(body: Body) -> Message:
    """The answer in a body; of several choices the one with index 0, or the first there is."""
    said = Message(errors=body.named_errors)
    wanted = _index(body.pieces)
    for piece in body.pieces:
        if piece.kind == "error":
            continue
        _take(said, piece.data)
        streamed = body.form is Form.EVENTS
        chosen = [choice for choice in _choices(piece.data) if _place(choice) == wanted]
        for choice in chosen if streamed else chosen[:1]:
            _choice(said, choice, piece, streamed=streamed)
        if isinstance(piece.data.get("choices"), list) and piece.data["choices"]:
            said.chosen = True
    return said


def _take(said: Message, data: Mapping[str, Any]) -> None:
    """What stands beside the choices."""
    if says_error(data):
        said.errors += 1
    usage = data.get("usage")
    if usage is not None and (not isinstance(usage, dict) or says_something(usage)):
        said.usages.append(usage)
    for told, name in ((said.models, "model"), (said.fingerprints, "system_fingerprint")):
        value = data.get(name)
        if isinstance(value, str) and value:
            told.append(value)


def says_error(data: Mapping[str, Any]) -> bool:
    """Does a document carry an error? `error: null`, false, "" and {} are none."""
    if data.get("error") or data.get("object") == "error" or data.get("type") == "error":
        return True
    if data.get("choices"):
        return False
    code = as_dict(data.get("base_resp")).get("status_code")
    told = any(isinstance(data.get(name), str) and data[name] for name in TOLD) and any(name in data for name in CODED)
    return told or bool(code) or any(data.get(name) for name in LOOSE_ERRORS)


def _choices(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    listed = data.get("choices")
    yield from (one for one in listed if isinstance(one, dict)) if isinstance(listed, list) else ()


def _place(choice: Mapping[str, Any]) -> int:
    index = choice.get("index")
    return index if isinstance(index, int) and not isinstance(index, bool) else 0


def _index(pieces: Iterable[Piece]) -> int:
    """The index of the choice that is judged."""
    there = {_place(choice) for piece in pieces for choice in _choices(piece.data)}
    return 0 if 0 in there or not there else min(there)


def _choice(said: Message, choice: Mapping[str, Any], piece: Piece, *, streamed: bool) -> None:
    finish = choice.get("finish_reason")
    if choice.get("error") or finish == "error":
        said.choice_errors += 1
    if finish is not None:
        said.finishes.append(finish)
    held = choice.get("delta" if streamed else "message")
    if not isinstance(held, dict):
        return
    said.begun = True
    content, called = held.get("content"), said.calls.take(held, streamed=streamed)
    if isinstance(content, str):
        said.texts.append(content)
    elif content is not None:
        said.odd_content = True
    said.reasoning += [held[name] for name in REASONING if isinstance(held.get(name), str)]
    said.thinking = said.thinking or any(held.get(name) for name in REASONING)
    said.refusal = said.refusal or bool(held.get("refusal"))
    if not said.first_at and (content or called or held.get("refusal")):
        said.first_at = piece.end
