"""An agent's trajectory for reading: one paragraph a step, tool calls and results under it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

SHOWN = 2_000
"""Characters of one text that are shown; the JSON holds all."""
NONE = "no trajectory: the agent has no preset, or left none that can be read"


def trajectory_lines(told: Mapping[str, Any]) -> Iterator[str]:
    """The lines of one attempt's trajectory."""
    yield f"repeat {told['repeat']}, attempt {told['attempt']}"
    document = told["atif"]
    if not isinstance(document, dict):
        yield f"  {NONE}"
        return
    agent = document["agent"]
    yield f"  {agent['name']} {agent['version']}, {len(document['steps'])} steps"
    for name, data in (("its own account", told["own_account"]), ("its own ending", told["own_ending"])):
        if isinstance(data, dict):
            yield f"  {name}"
            yield from (f"    {key:<11} {_value(value)}" for key, value in sorted(data.items()))
    for step in document["steps"]:
        yield from _step(step)


def _value(value: Any) -> str:
    return f"not measured ({value['not_measured']})" if isinstance(value, dict) else str(value)


def _step(step: Mapping[str, Any]) -> Iterator[str]:
    usage = step.get("metrics") or {}
    counts = ", ".join(f"{name.removesuffix('_tokens')} {count}" for name, count in sorted(usage.items()))
    yield f"\n{step['step_id']:>4}  {step['source']}" + (f"  ({counts})" if counts else "")
    for text in (step.get("reasoning_content"), step.get("message")):
        if text:
            yield _indented(str(text))
    for call in step.get("tool_calls") or ():
        yield _indented(
            f"> {call['function_name']} {json.dumps(call['arguments'], ensure_ascii=False, sort_keys=True)}"
        )
    for result in (step.get("observation") or {}).get("results") or ():
        yield _indented(f"< {result.get('content', '')}")


def _indented(text: str) -> str:
    cut = f" ... {len(text) - SHOWN} characters more" if len(text) > SHOWN else ""
    return "\n".join(f"      {line}" for line in (text[:SHOWN].rstrip() + cut).split("\n"))
