"""Every agent passes the one suite; agents that break its rules do not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from denominator.adapters.agents.command import Command
from denominator.adapters.agents.contract import Setup
from denominator.adapters.agents.nop import Nop
from denominator.adapters.agents.oracle import Oracle
from denominator.adapters.agents.script import Script
from denominator.ports import AgentPlan, Mount
from denominator.testing.agent_suite import check_plan
from unit.adapters.agents.tasks import agent_task

SCRIPT = 'schema_version = 1\n[[task]]\nid = "t1"\n[[task.step]]\nrun = "true"\n'
GOLD = b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n"
COMMAND = ("agent", "--task={prompt_file}", "{prompt}", "--url", "{model_url}", "--seed={seed}")

CASES = {
    "nop": (Nop, agent_task()),
    "oracle": (Oracle, agent_task(gold=GOLD)),
    "oracle that asks": (Oracle, agent_task(control="must_ask")),
    "script": (lambda: Script(Setup(script=SCRIPT)), agent_task()),
    "command": (Command, agent_task(command=COMMAND, env={"KEY": "{model_token}"}, mounts=("/srv/a-venv=/opt/agent",))),
}


@pytest.mark.parametrize("name", CASES)
def test_the_agents_of_this_package_conform(name):
    make, task = CASES[name]
    assert check_plan(make, task) == []


class _Odd:
    """A conforming agent but for what a test changes."""

    name = "odd"
    needs_gold = False

    def __init__(self, plan) -> None:
        self.plan = plan

    def version(self) -> str:
        return "1"


def _counting():
    numbers = iter(range(100))
    return lambda task: AgentPlan(argv=("a", str(next(numbers))))


@pytest.mark.parametrize(
    ("plan", "breach"),
    [
        (_counting(), "differ"),
        (lambda task: AgentPlan(argv=("a", str(task.key.attempt))), "one attempt from another"),
        (lambda task: AgentPlan(files={"x": task.gold or b""}), "gold"),
        (lambda task: AgentPlan(files={"../x": b""}), "safe name"),
        (lambda task: AgentPlan(files={"prompt.md": b""}), "safe name"),
        (lambda task: AgentPlan(argv=("",)), "name is empty"),
        (lambda task: AgentPlan(argv=("a", "\0")), "argv holds"),
        (lambda task: AgentPlan(env={"A B": ""}), "cannot be set"),
        (lambda task: AgentPlan(argv=("a", "\udc80")), "recorded"),
        (lambda task: AgentPlan(argv=(f"{Path.home()}/x",)), "host path"),
        (
            lambda task: AgentPlan(argv=("/srv/v/x",), mounts=(Mount(host=Path("/srv/v"), inside="/opt/v"),)),
            "host path",
        ),
        (lambda task: AgentPlan(mounts=(Mount(host=Path("/srv"), inside="/opt", writable=True),)), "writable"),
        (lambda task: AgentPlan(mounts=(Mount(host=Path("/srv"), inside="opt"),)), "absolute"),
    ],
)
def test_a_breach_is_found(plan, breach):
    agent = _Odd(plan)
    assert any(breach in found for found in check_plan(lambda: agent, replace(agent_task(), gold=b"")))
