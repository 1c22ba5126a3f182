"""An agent's plan -> the same plan behind the launcher, so that the agent finds its model inside the sandbox."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

from denominator.ports import AgentPlan

SOCKET = "/run/denominator/model.sock"
LAUNCH_FILE = "denominator_launch.py"
TOKEN_MARK = "@DENOMINATOR_MODEL_TOKEN@"


def through_launcher(plan: AgentPlan, python: str, token: str) -> AgentPlan:
    """A plan without a command stays as it is: it calls nothing."""
    if not plan.argv:
        return plan
    launcher = files("denominator.adapters.gateway.inside").joinpath("launch.py").read_bytes()
    command = (part.replace(TOKEN_MARK, token) for part in plan.argv)
    env = {name: value.replace(TOKEN_MARK, token) for name, value in plan.env.items()}
    return replace(
        plan,
        argv=(python, "-I", "-B", f"/in/{LAUNCH_FILE}", SOCKET, "--", *command),
        env={**env, "DENOMINATOR_MODEL_TOKEN": token},
        files={**plan.files, LAUNCH_FILE: launcher},
    )
