"""Steps for the driver inside the sandbox: `drive.py` reads them from /in/steps.json."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from denominator.adapters.agents.contract import IN, base_env, inside
from denominator.ports import AgentPlan, AgentTask


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its kind, what the tool log shows of it, bytes that travel as a file of their own, how often it is done."""

    kind: str
    args: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    times: int = 1


def plan_steps(task: AgentTask, steps: Sequence[Step], python: str) -> AgentPlan:
    """A plan that carries out `steps`; none at all is an agent that does nothing."""
    if not steps:
        return AgentPlan(env=base_env(task))
    files = {"drive.py": inside("drive.py"), "apply_patch.py": inside("apply_patch.py")}
    rows: list[dict[str, object]] = []
    for number, step in enumerate(steps, start=1):
        row: dict[str, object] = {"kind": step.kind, "times": step.times, "args": dict(step.args)}
        if step.body is not None:
            name = f"step-{number}.body"
            row["file"], files[name] = name, step.body
        rows.append(row)
    files["steps.json"] = json.dumps(rows, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    argv = (python, "-I", "-B", f"{IN}/drive.py", f"{IN}/steps.json")
    return AgentPlan(argv=argv, env=base_env(task), files=files)
