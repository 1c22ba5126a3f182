"""Codex CLI 0.171.0 (run by us, by hand).

`exec` without approvals and without a sandbox of its own: ours is around it. A provider of the arm's own is declared by
`-c`, so that no configuration file is needed; transport retries are off, because an attempt's calls are counted at the
gateway. It speaks the responses API only.
"""

from __future__ import annotations

from functools import partial

from denominator.adapters.agents.presets.agent import PresetAgent
from denominator.adapters.agents.presets.shape import HERE, Preset
from denominator.ports import Trace
from denominator.records.facts import OwnEnding

PRESET = Preset(
    name="codex",
    title="Codex CLI",
    against="0.171.0",
    ran="run by us",
    install="npm install --prefix DIR @openai/codex@0.171.0",
    api="openai_responses",
    command=(
        *(f"{HERE}/node_modules/.bin/codex", "exec"),
        *("--json", "--ephemeral", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"),
        *("-m", "{model}"),
        *("-c", "model_provider=denominator"),
        *("-c", 'model_providers.denominator.name="denominator"'),
        *("-c", 'model_providers.denominator.base_url="{model_url}"'),
        *("-c", 'model_providers.denominator.env_key="DENOMINATOR_MODEL_TOKEN"'),
        *("-c", 'model_providers.denominator.wire_api="responses"'),
        *("-c", "model_providers.denominator.request_max_retries=0"),
        *("-c", "model_providers.denominator.stream_max_retries=0"),
        *("-c", "check_for_update_on_startup=false"),
        *("-c", "analytics.enabled=false"),
        "{prompt}",
    ),
    version_command=(f"{HERE}/node_modules/.bin/codex", "--version"),
    trace=Trace(format="codex"),
    endings={
        "status:turn.completed": OwnEnding.FINISHED,
        "status:turn.failed": OwnEnding.MODEL_ERROR,
        "status:error": OwnEnding.MODEL_ERROR,
        "exit:1": OwnEnding.CRASHED_AT_START,
        "exit:2": OwnEnding.CRASHED_AT_START,
    },
)

agent = partial(PresetAgent, PRESET)
