"""Writing an ATIF document step by step, so that every reader's is of one form (version 1.8; no numbers with a fraction)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.readers.trajectories.plain import arguments, number, plain, text
from denominator.records.events import Json
from denominator.records.facts import OwnAccount
from denominator.records.values import NotMeasured

VERSION = "ATIF-v1.8"
UNKNOWN = "unknown"

Call = tuple[Any, Any, Any]
"""Id, name and arguments of a tool call, as they came."""


@dataclass(slots=True)
class Story:
    """One trajectory in the making. A result is placed at the step that made its call; one of no known call stands alone."""

    agent: str
    version: str = UNKNOWN
    model: str | None = None
    session: str | None = None
    steps: list[dict[str, Json]] = field(default_factory=list)
    calls: dict[str, dict[str, Json]] = field(default_factory=dict)

    def say(self, source: str, message: Any, *, at: str | None = None) -> None:
        """A message of the system or the user."""
        self._add(source, text(message), at)

    def act(
        self,
        message: Any,
        calls: list[Call] | None = None,
        *,
        reasoning: Any = None,
        usage: Mapping[str, Any] | None = None,
        model: Any = None,
        at: str | None = None,
    ) -> None:
        """A turn of the agent; `usage` holds prompt, completion and cached tokens as far as they are told."""
        step = self._add("agent", text(message), at)
        if isinstance(model, str) and model:
            step["model_name"] = model
        if thought := text(reasoning):
            step["reasoning_content"] = thought
        metrics: dict[str, Json] = {
            f"{name}_tokens": count for name, value in (usage or {}).items() if (count := number(value)) is not None
        }
        if metrics:
            step["metrics"] = metrics
        if calls:
            step["tool_calls"] = [self._call(step, *call) for call in calls]

    def result(self, id_: Any, content: Any, *, at: str | None = None) -> None:
        """What a tool gave back."""
        key = text(id_)
        step = self.calls.get(key)
        if step is None:
            step = self._add("system", "a result of no call that is told", at)
            key = ""
        observation = step.setdefault("observation", {"results": []})
        found: dict[str, Json] = {"content": text(content)}
        if key:
            found["source_call_id"] = key
        assert isinstance(observation, dict)
        results = observation["results"]
        assert isinstance(results, list)
        results.append(found)

    def document(self, account: OwnAccount) -> dict[str, Json]:
        """The whole trajectory, with the agent's own sums as its final metrics."""
        told = {"prompt": account.prompt, "completion": account.completion, "cached": account.cached}
        final: dict[str, Json] = {
            f"total_{name}_tokens": value for name, value in told.items() if not isinstance(value, NotMeasured)
        }
        beside = {"cost_usd": account.cost, "calls": account.calls}
        extra: dict[str, Json] = {n: value for n, value in beside.items() if not isinstance(value, NotMeasured)}
        final |= {"total_steps": len(self.steps)} | ({"extra": extra} if extra else {})
        agent: dict[str, Json] = {"name": self.agent, "version": self.version or UNKNOWN}
        if self.model:
            agent["model_name"] = self.model
        steps: list[Json] = list(self.steps)
        head: dict[str, Json] = {"schema_version": VERSION, "agent": agent, "steps": steps, "final_metrics": final}
        return head | ({"session_id": self.session} if self.session else {})

    def _add(self, source: str, message: str, at: str | None) -> dict[str, Json]:
        step: dict[str, Json] = {"step_id": len(self.steps) + 1, "source": source, "message": message}
        if at:
            step["timestamp"] = at
        self.steps.append(step)
        return step

    def _call(self, step: dict[str, Json], id_: Any, name: Any, given: Any) -> Json:
        key = text(id_) or f"call-{len(self.calls) + 1}"
        self.calls[key] = step
        told: Json = plain(arguments(given))
        return {"tool_call_id": key, "function_name": text(name) or UNKNOWN, "arguments": told}
