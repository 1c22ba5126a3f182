"""`{name}` in an arm's command and environment. `{{name}}` is the text `{name}`; other braces are left as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from denominator.adapters.agents.contract import (
    IN,
    MODEL_ROOT_MARK,
    MODEL_TOKEN_MARK,
    MODEL_URL_MARK,
    OUT,
    PROMPT_FILE,
    WORK,
)
from denominator.ports import AgentTask
from denominator.records.values import NotMeasured

NAMES = {
    "prompt_file": "the prompt as a file",
    "prompt": "the prompt's text",
    "workdir": "the repository",
    "indir": "the read-only folder with the prompt",
    "outdir": "the folder for what the agent leaves",
    "task_id": "the task",
    "model": "the model id of the arm",
    "model_url": "the model's address, with /v1",
    "model_root": "the model's address, without /v1",
    "model_token": "the attempt's token, given where a key is expected",
    "seed": "the seed of this repeat",
    "python": "the sandbox's python",
}
NEEDS_MODEL = frozenset({"model_url", "model_root", "model_token"})
_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}|\{([a-z_]+)\}")


def used(text: str) -> Iterator[str]:
    """The names that a template uses, known or not."""
    return (match[2] for match in _PLACEHOLDER.finditer(text) if match[2])


def fill(text: str, values: Mapping[str, str]) -> str:
    """The template with its values; what a value holds is not looked at again."""
    return _PLACEHOLDER.sub(lambda m: "{" + m[1] + "}" if m[1] else values[m[2]], text)


def values_of(task: AgentTask, python: str) -> dict[str, str | NotMeasured]:
    """Every placeholder's value for a task, or why it has none."""
    return {
        "prompt_file": PROMPT_FILE,
        "prompt": task.prompt,
        "workdir": WORK,
        "indir": IN,
        "outdir": OUT,
        "task_id": task.key.task_id,
        "model": task.arm.model.id,
        "model_url": MODEL_URL_MARK,
        "model_root": MODEL_ROOT_MARK,
        "model_token": MODEL_TOKEN_MARK,
        "seed": NotMeasured("no seed is declared for this repeat") if task.seed is None else str(task.seed),
        "python": python,
    }
