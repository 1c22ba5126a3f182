"""Tool calls of a foreign row in the one normal form, and what repeats in them (`readers.tools`)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from denominator.importers.columns import Cells
from denominator.importers.raw import json_text
from denominator.readers.tools import facts_of, plain_calls
from denominator.records.facts import ToolFacts
from denominator.records.values import NotMeasured

NAMES = ("name", "tool", "tool_name", "function_name")
ARGUMENTS = ("args", "arguments", "input", "parameters", "tool_input", "kwargs", "params")
DIGESTS = ("result_sha256", "result_sha", "result_digest", "output_sha256", "output_sha", "observation_sha256")
RESULTS = ("result", "output", "observation", "tool_result", "response")
ONLY_COUNTED = NotMeasured("the source says only how many tool calls there were")


def tool_facts_of(cells: Cells) -> ToolFacts | NotMeasured:
    """Facts of the row's tool calls; unknown, with the reason, where they are only counted or cannot be read."""
    calls = cells.known.get("tool_calls")
    if isinstance(calls, int) and not isinstance(calls, bool):
        return ONLY_COUNTED
    if not isinstance(calls, list):
        return NotMeasured("the tool calls are no list")
    return facts_of(plain_calls([_plain(call) for call in calls]), "import")


def argument_texts(cells: Cells) -> tuple[str, ...]:
    """Every text that the arguments of the row's tool calls hold, call by call, however deep it stands."""
    calls = cells.known.get("tool_calls")
    found: list[str] = []
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            _texts(_plain(call).get("args"), found)
    return tuple(found)


def calls_of(cells: Cells) -> tuple[tuple[str, object], ...]:
    """Tool and arguments of each of the row's calls."""
    calls = cells.known.get("tool_calls")
    plain = [_plain(call) for call in calls] if isinstance(calls, list) else []
    return tuple((str(one.get("name") or ""), one.get("args")) for one in plain)


def _plain(call: object) -> dict[str, object]:
    """One call under the names that the reader knows; a text of JSON counts as what it holds."""
    if not isinstance(call, dict):
        return {}
    inner = call.get("function")
    told = {**call, **inner} if isinstance(inner, dict) else {**call, "name": call.get("name", inner)}
    plain: dict[str, object] = {"name": _first(told, NAMES)}
    for name, others in (("args", ARGUMENTS), ("result_sha256", DIGESTS), ("result", RESULTS)):
        if (value := _first(told, others)) is not None:
            plain[name] = _opened(value) if name == "args" else value
    # A result that is no text has exact numbers in it, which only the raw JSON text keeps.
    if isinstance(plain.get("result"), list | dict):
        plain["result"] = json_text(plain["result"])
    return {**plain, **{key: told[key] for key in ("exit", "turn") if key in told}}


def _first(told: Mapping[str, object], names: tuple[str, ...]) -> object:
    return next((told[name] for name in names if told.get(name) is not None), None)


def _opened(value: object) -> object:
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _texts(value: object, found: list[str]) -> None:
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            todo += [*reversed([*one.values()])]
        elif isinstance(one, list | tuple):
            todo += [*reversed(one)]
