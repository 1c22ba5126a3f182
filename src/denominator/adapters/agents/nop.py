"""The agent that does nothing: what is red must stay red, what is green must stay green."""

from __future__ import annotations

from denominator._version import __version__
from denominator.adapters.agents.contract import Setup, base_env
from denominator.ports import AgentPlan, AgentTask


class Nop:
    """Ends at once with an empty patch."""

    name = "nop"
    needs_gold = False

    def __init__(self, setup: Setup | None = None) -> None:
        self.setup = setup or Setup()

    def plan(self, task: AgentTask) -> AgentPlan:
        """No command."""
        return AgentPlan(env=base_env(task))

    def version(self) -> str:
        """Ours."""
        return __version__
