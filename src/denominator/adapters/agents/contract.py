"""What every agent finds inside the sandbox (docs/formats/agent.md)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from denominator.ports import AgentTask

WORK = "/work"
IN = "/in"
OUT = "/out"
PROMPT_FILE = f"{IN}/prompt.md"

# Only the launcher inside the sandbox knows the address, and only the relay the token. They replace these marks.
MODEL_URL_MARK = "@DENOMINATOR_MODEL_URL@"
MODEL_ROOT_MARK = "@DENOMINATOR_MODEL_ROOT@"
MODEL_TOKEN_MARK = "@DENOMINATOR_MODEL_TOKEN@"


@dataclass(frozen=True, slots=True)
class Setup:
    """What an agent is built from: the sandbox's toolchain; for agent `script` the text of the arm's script file."""

    python: str = "/usr/bin/python3"
    script: str = ""
    script_name: str = "script.toml"


def base_env(task: AgentTask) -> dict[str, str]:
    """The documented variables. Nothing in them tells one attempt of a draw from another."""
    env = {
        "DENOMINATOR_TASK_ID": task.key.task_id,
        "DENOMINATOR_PROMPT": PROMPT_FILE,
        "DENOMINATOR_WORK": WORK,
        "DENOMINATOR_IN": IN,
        "DENOMINATOR_OUT": OUT,
        "DENOMINATOR_ASK": f"{OUT}/ask.md",
        "DENOMINATOR_ABSTAIN": f"{OUT}/abstain.md",
        "DENOMINATOR_TOOLS": f"{OUT}/tools.jsonl",
        # Bytecode of the agent's test runs in the repository would show up as touched paths.
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    if isinstance(task.arm.model.id, str):
        env["DENOMINATOR_MODEL"] = task.arm.model.id
    if task.seed is not None:
        env["DENOMINATOR_SEED"] = str(task.seed)
    return env


def inside(name: str) -> bytes:
    """The bytes of a script of ours that runs inside the sandbox."""
    return files("denominator.adapters.agents.inside").joinpath(name).read_bytes()
