"""opencode 1.18.33 (run by us, by hand).

Its whole configuration travels in one variable: a provider of the arm's own over the bundled OpenAI-compatible client,
no sharing, no update. The list of models that it would fetch, plugins and language servers are off.
"""

from __future__ import annotations

from functools import partial

from denominator.adapters.agents.presets.agent import PresetAgent
from denominator.adapters.agents.presets.shape import HERE, Preset
from denominator.ports import Trace
from denominator.records.facts import OwnEnding

_CONFIG = (
    '{"$schema": "https://opencode.ai/config.json", "autoupdate": false, "share": "disabled",'
    ' "enabled_providers": ["denominator"], "model": "denominator/{model}", "small_model": "denominator/{model}",'
    ' "provider": {"denominator": {"npm": "@ai-sdk/openai-compatible", "name": "denominator",'
    ' "options": {"baseURL": "{model_url}", "apiKey": "{model_token}"}, "models": {"{model}": {"name": "{model}"}}}}}'
)

PRESET = Preset(
    name="opencode",
    title="opencode",
    against="1.18.33",
    ran="run by us",
    install="npm install --prefix DIR opencode-ai@1.18.33",
    api="openai_chat",
    command=(
        *(f"{HERE}/node_modules/.bin/opencode", "run"),
        *("--pure", "--auto", "--format", "json", "--title", "task"),
        *("--model", "denominator/{model}"),
        "{prompt}",
    ),
    env={
        "XDG_DATA_HOME": "/tmp/opencode/data",
        "XDG_CONFIG_HOME": "/tmp/opencode/config",
        "XDG_CACHE_HOME": "/tmp/opencode/cache",
        "XDG_STATE_HOME": "/tmp/opencode/state",
        "OPENCODE_CONFIG_CONTENT": _CONFIG,
        "OPENCODE_DISABLE_AUTOUPDATE": "true",
        "OPENCODE_DISABLE_MODELS_FETCH": "true",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "true",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS": "true",
    },
    version_command=(f"{HERE}/node_modules/.bin/opencode", "--version"),
    trace=Trace(format="opencode"),
    endings={
        "status:stop": OwnEnding.FINISHED,
        "status:length": OwnEnding.OWN_LIMIT,
        "status:error": OwnEnding.MODEL_ERROR,
        "exit:1": OwnEnding.CRASHED_AT_START,
    },
)

agent = partial(PresetAgent, PRESET)
