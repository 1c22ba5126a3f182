"""Claude Code 2.1.197 (run by us, by hand).

Headless (`-p`) with permission prompts off, because the sandbox is ours; update checks, telemetry and error reports off;
no session kept. Its trajectory is what it prints, one JSON event a line. It speaks Anthropic messages, so `model.endpoint`
has to be an endpoint that does.
"""

from __future__ import annotations

from functools import partial

from denominator.adapters.agents.presets.agent import PresetAgent
from denominator.adapters.agents.presets.shape import HERE, Preset
from denominator.ports import Trace
from denominator.records.facts import OwnEnding

PRESET = Preset(
    name="claude-code",
    title="Claude Code",
    against="2.1.197",
    ran="run by us",
    install="npm install --prefix DIR @anthropic-ai/claude-code@2.1.197",
    api="anthropic_messages",
    command=(
        f"{HERE}/node_modules/.bin/claude",
        *("-p", "{prompt}"),
        *("--model", "{model}"),
        *("--output-format", "stream-json", "--verbose"),
        *("--dangerously-skip-permissions", "--no-session-persistence", "--strict-mcp-config"),
    ),
    env={
        "CLAUDE_CONFIG_DIR": "/tmp/claude",
        "ANTHROPIC_BASE_URL": "{model_root}",
        "ANTHROPIC_API_KEY": "{model_token}",
        # Smaller jobs of its own go to the model of the arm too: one arm, one model.
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": "{model}",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
    },
    version_command=(f"{HERE}/node_modules/.bin/claude", "--version"),
    trace=Trace(format="claude-code"),
    endings={
        "status:success": OwnEnding.FINISHED,
        "status:error_max_turns": OwnEnding.OWN_LIMIT,
        "status:error_max_budget_usd": OwnEnding.OWN_LIMIT,
        "status:error_during_execution": OwnEnding.MODEL_ERROR,
        "status:api_error": OwnEnding.MODEL_ERROR,
        "exit:1": OwnEnding.CRASHED_AT_START,
    },
)

agent = partial(PresetAgent, PRESET)
