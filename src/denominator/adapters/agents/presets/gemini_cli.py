"""Gemini CLI 0.61.0 (untested: it speaks the Gemini API, which the gateway of this version does not carry, so that an arm
with it is refused before anything is sealed; its version command and its trajectory reader are of use to importers).
"""

from __future__ import annotations

from functools import partial

from denominator.adapters.agents.presets.agent import PresetAgent
from denominator.adapters.agents.presets.shape import HERE, Preset
from denominator.ports import Trace
from denominator.records.facts import OwnEnding

PRESET = Preset(
    name="gemini-cli",
    title="Gemini CLI",
    against="0.61.0",
    ran="untested",
    install="npm install --prefix DIR @google/gemini-cli@0.61.0",
    api="gemini",
    command=(
        *("node", f"{HERE}/node_modules/@google/gemini-cli/bundle/gemini.js"),
        *("-p", "{prompt}", "-m", "{model}"),
        *("--approval-mode", "yolo", "--skip-trust", "--output-format", "stream-json"),
    ),
    env={
        "GEMINI_API_KEY": "{model_token}",
        "GOOGLE_GEMINI_BASE_URL": "{model_root}",
        "GEMINI_TELEMETRY_ENABLED": "false",
        "GEMINI_CLI_NO_RELAUNCH": "true",
    },
    version_command=("node", f"{HERE}/node_modules/@google/gemini-cli/bundle/gemini.js", "--version"),
    trace=Trace(format="gemini-cli"),
    endings={
        "status:success": OwnEnding.FINISHED,
        "status:error": OwnEnding.MODEL_ERROR,
        "exit:41": OwnEnding.CRASHED_AT_START,
        "exit:42": OwnEnding.CRASHED_AT_START,
        "exit:52": OwnEnding.CRASHED_AT_START,
        "exit:53": OwnEnding.OWN_LIMIT,
        "exit:130": OwnEnding.GAVE_UP,
    },
)

agent = partial(PresetAgent, PRESET)
