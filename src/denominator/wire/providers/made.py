"""What a model made: whether anything of it has come, its refusal, and its tool calls, whole or in pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.records.rows import Text
from denominator.wire.arguments import arguments_sha256
from denominator.wire.providers.api import Api
from denominator.wire.providers.loose import as_dict, clean

CALLS_MAX = 1000
ARGUMENT_CHARS_MAX = 4 * 1024 * 1024
_SPOKEN = ("content", "text", "refusal", "audio", "partial_json")
_TEXTS = (*_SPOKEN, "reasoning_content", "reasoning", "reasoning_text", "reasoning_details", "thinking")
_ARGUMENTS = ("arguments", "input", "action", "operation", "code", "queries")


@dataclass(slots=True)
class _Call:
    """One call as it grows. `whole` are arguments that came at once."""

    name: str = ""
    pieces: list[str] = field(default_factory=list)
    size: int = 0
    whole: Any = None

    def add(self, piece: Any) -> None:
        """A piece of the arguments' text."""
        if isinstance(piece, str) and self.size <= ARGUMENT_CHARS_MAX:
            self.size += len(piece)
            self.pieces.append(piece)
        elif isinstance(piece, dict | list):
            self.whole = piece

    def told(self) -> str:
        """Name and digest; a digest that cannot be had is "?"."""
        text = "".join(self.pieces)
        made: Text | None = arguments_sha256(text if self.pieces else self.whole)
        known = isinstance(made, str) and self.size <= ARGUMENT_CHARS_MAX
        return f"{clean(self.name) or '?'}:{made if known else '?'}"


class Made:
    """Grows by one document or event after the other. `spoken`: something beside reasoning has come."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._calls: dict[tuple[Any, ...], _Call] = {}
        self.begun = self.spoken = False
        self.refused = False

    def take(self, data: Mapping[str, Any]) -> None:
        """One document, or one event's data."""
        if self._api is Api.CHAT:
            for at, choice in enumerate(_dicts(data.get("choices"))):
                self._choice(choice, at)
        elif self._api is Api.MESSAGES:
            self._messages(data)
        elif self._api is Api.RESPONSES:
            self._responses(data)

    def calls(self) -> tuple[str, ...]:
        """Every call in the order in which it began."""
        return tuple(call.told() for call in self._calls.values())

    def _call(self, place: tuple[Any, ...]) -> _Call:
        self.begun = self.spoken = True
        if place not in self._calls and len(self._calls) >= CALLS_MAX:
            return _Call()
        return self._calls.setdefault(place, _Call())

    def _choice(self, choice: Mapping[str, Any], at: int) -> None:
        """A choice of chat (`message`, `delta`) or of legacy completions (`text`)."""
        index = _place(choice.get("index"), at)
        whole = as_dict(choice.get("message"))
        said = whole or as_dict(choice.get("delta"))
        if not self.spoken:
            self._texts(said)
            self._texts(choice)
        self.refused |= bool(said.get("refusal")) or choice.get("finish_reason") in ("content_filter", "refusal")
        for number, call in enumerate(_dicts(said.get("tool_calls"))):
            # Whole answers need no index, and servers that leave it out of deltas send each call at once.
            place = number if whole else _place(call.get("index"), number)
            held = as_dict(call.get("function") or call.get("custom"))
            growing = self._call((index, place))
            growing.name = growing.name or _name(held)
            growing.add(held.get("arguments") or held.get("input"))
        old = as_dict(said.get("function_call"))
        if old:
            growing = self._call((index, "old"))
            growing.name = growing.name or _name(old)
            growing.add(old.get("arguments"))

    def _messages(self, data: Mapping[str, Any]) -> None:
        for number, block in enumerate(_dicts(data.get("content"))):
            self._block(number, block)
        index = data.get("index") if isinstance(data.get("index"), int) else 0
        if data.get("type") == "content_block_start":
            self._block(index, as_dict(data.get("content_block")))
        delta = as_dict(data.get("delta"))
        self.refused |= "refusal" in (delta.get("stop_reason"), data.get("stop_reason"))
        self._texts(delta)
        if delta.get("type") == "input_json_delta" and (index,) in self._calls:
            self._calls[(index,)].add(delta.get("partial_json"))

    def _block(self, index: Any, block: Mapping[str, Any]) -> None:
        self._texts(block)
        if str(block.get("type", "")).endswith("tool_use"):
            call = self._call((index,))
            call.name = _name(block)
            call.add(block.get("input"))

    def _responses(self, data: Mapping[str, Any]) -> None:
        kind, at = str(data.get("type", "")), data.get("output_index")
        index = at if isinstance(at, int) else 0
        self.begun |= kind.endswith(".delta") and bool(data.get("delta"))
        self.refused |= kind == "response.refusal.done"
        if kind == "response.output_item.done":
            self._item(index, as_dict(data.get("item")))
        document = data if "output" in data else as_dict(data.get("response"))
        for number, item in enumerate(_dicts(document.get("output"))):
            self._item(number, item)

    def _item(self, index: int, item: Mapping[str, Any]) -> None:
        kind = str(item.get("type", ""))
        parts = list(_dicts(item.get("content")))
        for part in parts:
            self._texts(part)
        self.refused |= any(part.get("type") == "refusal" for part in parts)
        if kind.endswith("_call"):
            call = self._call((index,))
            call.name = _name(item) or kind.removesuffix("_call")
            call.pieces, call.size = [], 0
            call.add(next((item[name] for name in _ARGUMENTS if item.get(name) is not None), None))

    def _texts(self, said: Mapping[str, Any]) -> None:
        self.spoken = self.spoken or any(said.get(name) for name in _SPOKEN)
        self.begun = self.begun or self.spoken or any(said.get(name) for name in _TEXTS)


def _dicts(value: Any) -> Iterable[Mapping[str, Any]]:
    return (each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()


def _place(index: Any, otherwise: int) -> int:
    return index if isinstance(index, int) else otherwise


def _name(held: Mapping[str, Any]) -> str:
    name = held.get("name")
    return name if isinstance(name, str) else ""
