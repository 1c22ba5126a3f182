"""What a request asks for, read once before it is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.records.rows import Count, Text
from denominator.records.values import NotMeasured
from denominator.wire.providers.api import Api
from denominator.wire.providers.decoding import decoding_of
from denominator.wire.providers.history import Link, binary_tokens, chain_of, hidden_of, sha_of, system_of, turns_of
from denominator.wire.providers.loose import as_dict, loads_loose, text_of

_NO_MODEL = NotMeasured("the request names no model")
_NO_CAP = NotMeasured("the request names no output cap")
_NO_SYSTEM = NotMeasured("the request has no system text")
_NO_TOOLS = NotMeasured("the request names no tools")
_UNREAD = NotMeasured("the request cannot be read")

CAPS: Mapping[Api, tuple[str, ...]] = {
    Api.CHAT: ("max_completion_tokens", "max_tokens"),
    Api.RESPONSES: ("max_output_tokens",),
    Api.MESSAGES: ("max_tokens",),
    Api.OTHER: (),
}
COUNT_MAX = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request. Digests are sha256 in hex of canonical JSON.

    `usage_on_stream`: was usage asked for where it has to be (streamed chat)? `output_cap` is the largest cap that it
    names, in tokens; `choices` how many answers it wants. `prompt_bytes` is the size of the whole body: no tokenizer
    makes more tokens of a text than it has bytes; `binary_tokens` is an allowance for pictures and files beside them.
    `hidden` says what the prompt holds that its bytes do not show; "": nothing. `prompt_sha256` is of the system text and
    instructions, `tools_sha256` of the tool list, `thread` of model, system text and first user message. `chain` tells
    how the history grew.
    """

    model: Text = _NO_MODEL
    stream: bool = False
    usage_on_stream: bool = True
    decoding: Mapping[str, str] = field(default_factory=dict)
    output_cap: Count = _NO_CAP
    choices: int = 1
    prompt_bytes: int = 0
    prompt_sha256: Text = _UNREAD
    tools_sha256: Text = _UNREAD
    thread: Text = _UNREAD
    tool_results: int = 0
    chain: tuple[Link, ...] = ()
    hidden: str = ""
    binary_tokens: int = 0


def read_request(body: bytes, api: Api = Api.CHAT) -> Asked:
    """Reads a request body; of one that is no JSON object only its size is known. Never raises."""
    data = loads_loose(body)
    if not isinstance(data, dict):
        return Asked(prompt_bytes=len(body))
    try:
        return _read(data, len(body), api)
    except RecursionError:
        return Asked(prompt_bytes=len(body), hidden="a request that is nested too deeply")


def _read(data: Mapping[str, Any], size: int, api: Api) -> Asked:
    streamed = data.get("stream") is True
    system, turns = system_of(data), turns_of(data)
    tools = data.get("tools") or data.get("functions")
    first = next((turn for turn in turns if not _is_result(turn)), None)
    return Asked(
        model=text_of(data.get("model"), _NO_MODEL.not_measured),
        stream=streamed,
        usage_on_stream=api is not Api.CHAT or not streamed or _includes_usage(data),
        decoding=decoding_of(data),
        output_cap=cap_of(data, api),
        choices=max(_positive(data.get("n")), _positive(data.get("best_of")), 1),
        prompt_bytes=size,
        prompt_sha256=sha_of(system) if system else _NO_SYSTEM,
        tools_sha256=sha_of([_plain(tool) for tool in tools]) if isinstance(tools, list) and tools else _NO_TOOLS,
        thread=sha_of([data.get("model"), system, first]),
        tool_results=sum(_results(turn) for turn in turns),
        chain=chain_of(data, turns),
        hidden=hidden_of(data, turns),
        binary_tokens=binary_tokens(turns),
    )


def _includes_usage(data: Mapping[str, Any]) -> bool:
    return as_dict(data.get("stream_options")).get("include_usage") is True


def cap_of(data: Mapping[str, Any], api: Api) -> Count:
    """The largest output cap that a request names, in tokens."""
    return max((_positive(data.get(name)) for name in CAPS[api]), default=0) or _NO_CAP


def _positive(value: Any) -> int:
    """A count that says something; 0, -1 and null are servers' words for no cap."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= COUNT_MAX else 0


def _plain(tool: Any) -> Any:
    """A tool without marks that only steer the provider's cache."""
    return {name: value for name, value in tool.items() if name != "cache_control"} if isinstance(tool, dict) else tool


def _results(turn: Any) -> int:
    """How many results of tools a message or an item is."""
    if not isinstance(turn, dict):
        return 0
    if _is_result(turn):
        return 1
    content = turn.get("content")
    return sum(as_dict(part).get("type") == "tool_result" for part in content) if isinstance(content, list) else 0


def _is_result(turn: Any) -> bool:
    said = as_dict(turn)
    return said.get("role") in ("tool", "function") or str(said.get("type", "")).endswith("_call_output")
