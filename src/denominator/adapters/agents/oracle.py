"""The agent that knows the answer: it shows that every task can be passed by the same sandbox, patch and grader."""

from __future__ import annotations

from denominator._version import __version__
from denominator.adapters.agents.contract import Setup
from denominator.adapters.agents.steps import Step, plan_steps
from denominator.ports import AgentPlan, AgentTask
from denominator.records.words import Control

QUESTION = "This task needs what is not in the repository: {files}. Please provide it or say what it holds.\n"


class Oracle:
    """Applies the task's gold patch; without one it asks where asking is what the task expects, else does nothing."""

    name = "oracle"
    needs_gold = True

    def __init__(self, setup: Setup | None = None) -> None:
        self.setup = setup or Setup()

    def plan(self, task: AgentTask) -> AgentPlan:
        """One step, or none."""
        return plan_steps(task, self._steps(task), self.setup.python)

    def _steps(self, task: AgentTask) -> list[Step]:
        if task.gold:
            return [Step("patch", body=task.gold)]
        if task.task.control == Control.MUST_ASK:
            return [Step("ask", {"text": QUESTION.format(files=", ".join(task.task.required_files) or "unnamed")})]
        return []

    def version(self) -> str:
        """Ours."""
        return __version__
