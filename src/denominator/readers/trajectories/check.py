"""What an ATIF 1.x document must hold to; what we write is checked before it is stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from denominator.readers.trajectories.plain import objects

SOURCES = ("system", "user", "agent")
AGENTS_ONLY = ("tool_calls", "metrics", "reasoning_content", "model_name")


def atif_problems(document: Any) -> list[str]:
    """Everything that breaks the format; an empty list is a sound document."""
    if not isinstance(document, dict):
        return ["no object"]
    return [*_head(document), *_steps(document.get("steps"))]


def _head(document: dict[str, Any]) -> Iterator[str]:
    if not str(document.get("schema_version", "")).startswith("ATIF-v1."):
        yield "schema_version is not ATIF-v1.x"
    agent = document.get("agent")
    for name in ("name", "version"):
        if not isinstance(agent, dict) or not isinstance(agent.get(name), str) or not agent[name]:
            yield f"agent.{name} is missing"


def _steps(steps: Any) -> Iterator[str]:
    if not isinstance(steps, list) or not steps:
        yield "there are no steps"
        return
    for number, step in enumerate(steps, start=1):
        if not isinstance(step, dict):
            yield f"step {number} is no object"
            continue
        if step.get("step_id") != number:
            yield f"step {number} has id {step.get('step_id')!r}"
        if step.get("source") not in SOURCES or not isinstance(step.get("message"), str):
            yield f"step {number} has no source or no message"
        if step.get("source") != "agent" and any(name in step for name in AGENTS_ONLY):
            yield f"step {number} is not the agent's and holds what only an agent has"
        yield from _calls(number, step)


def _calls(number: int, step: dict[str, Any]) -> Iterator[str]:
    ids = [call.get("tool_call_id") for call in objects(step.get("tool_calls"))]
    for call in objects(step.get("tool_calls")):
        if not isinstance(call.get("arguments"), dict) or not call.get("function_name") or not call.get("tool_call_id"):
            yield f"step {number} has a call without id, name or arguments"
    for result in objects((step.get("observation") or {}).get("results")):
        if (source := result.get("source_call_id")) is not None and source not in ids:
            yield f"step {number} has a result of a call that it did not make"
