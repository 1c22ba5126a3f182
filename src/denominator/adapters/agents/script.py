"""The agent that plays a written list of actions, the same every time: for demos and tests."""

from __future__ import annotations

from dataclasses import replace

from denominator._version import __version__
from denominator.adapters.agents.contract import Setup
from denominator.adapters.agents.script_file import ScriptFile, ScriptStep, read_script
from denominator.adapters.agents.steps import Step, plan_steps
from denominator.ports import AgentPlan, AgentTask


class Script:
    """Plays the steps of its task; a task that the script does not name is left alone."""

    name = "script"
    needs_gold = False

    def __init__(self, setup: Setup | None = None) -> None:
        self.setup = setup or Setup()
        self.script: ScriptFile = read_script(self.setup.script, self.setup.script_name)

    def plan(self, task: AgentTask) -> AgentPlan:
        """The steps under the task's id."""
        found = [s for t in self.script.task if t.id == task.key.task_id for s in t.step]
        steps = [replace(_step(s), times=s.times) for s in found]
        return plan_steps(task, steps, self.setup.python)

    def version(self) -> str:
        """Ours."""
        return __version__


def _step(step: ScriptStep) -> Step:
    if step.run:
        return Step("run", {"command": step.run})
    if step.write:
        return Step("write", {"path": step.write}, step.content.encode())
    if step.patch:
        return Step("patch", body=step.patch.encode())
    if step.sleep_s:
        return Step("sleep", {"seconds": step.sleep_s})
    return Step("ask", {"text": step.ask}) if step.ask else Step("abstain", {"text": step.abstain})
