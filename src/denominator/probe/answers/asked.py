"""What the request of a case asked for: read from the very bytes that are sent, by the reader that the gateway uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.probe.asking import model_of, request_body
from denominator.records.probe_words import Mode
from denominator.records.probes import Case
from denominator.records.rows import Count
from denominator.records.values import NotMeasured
from denominator.wire.providers import read_request
from denominator.wire.providers.loose import as_dict, loads_loose


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`cap` in tokens for each of `choices` answers; `tools` by name. `forced`: a call was demanded, by that word or name.

    `forbidden`: tools were shown and none may be called.
    """

    model: str
    stream: bool
    usage: bool = True
    cap: Count = NotMeasured("the request names no output cap")
    choices: int = 1
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    forced: str = ""
    forced_name: str = ""
    forbidden: bool = False
    legacy: bool = False
    json_mode: bool = False


def read_asked(case: Case, mode: str, model: str) -> Asked:
    """The request of a case. What a malformed control asks for is not read."""
    name = model_of(case, model)
    if case.control:
        return Asked(model=name, stream=mode == Mode.STREAM)
    body = request_body(case, mode, model)
    sent, asked = as_dict(loads_loose(body)), read_request(body)
    choice = sent.get("tool_choice")
    named = as_dict(as_dict(choice).get("function")).get("name")
    return Asked(
        model=name,
        stream=asked.stream,
        usage=asked.usage_on_stream,
        cap=asked.output_cap,
        choices=asked.choices,
        tools=_tools(sent),
        forced="required" if choice in ("required", "any") else ("named" if named else ""),
        forced_name=named if isinstance(named, str) else "",
        forbidden="none" in (choice, sent.get("function_call")),
        legacy="functions" in sent,
        json_mode=as_dict(sent.get("response_format")).get("type") in ("json_object", "json_schema"),
    )


def _tools(sent: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """The functions that were offered; those of the older interface too."""
    listed = [as_dict(as_dict(one).get("function")) for one in _list(sent.get("tools"))]
    listed += [as_dict(one) for one in _list(sent.get("functions"))]
    return {str(one["name"]): one for one in listed if one.get("name")}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
