"""OpenHands CLI 1.16.0. It needs Python 3.12, so its folder has to hold an interpreter of its own.

Headless with JSON events; the model comes from the environment (`--override-with-envs`), nothing is asked for.
"""

from __future__ import annotations

from functools import partial

from denominator.adapters.agents.presets.agent import PresetAgent
from denominator.adapters.agents.presets.shape import HERE, Preset
from denominator.ports import Trace
from denominator.records.facts import OwnEnding

PRESET = Preset(
    name="openhands",
    title="OpenHands CLI",
    against="1.16.0",
    ran="run by us",
    install="a folder with a Python 3.12 of its own (bin/python3.12), then its pip install openhands==1.16.0",
    api="openai_chat",
    command=(
        *(f"{HERE}/bin/python3.12", "-m", "openhands_cli.entrypoint"),
        *("--headless", "--json", "--override-with-envs", "--exit-without-confirmation"),
        *("--file", "{prompt_file}"),
    ),
    env={
        # An interpreter that was moved with its folder finds its own library there.
        "LD_LIBRARY_PATH": f"{HERE}/lib",
        "LLM_MODEL": "openai/{model}",
        "LLM_BASE_URL": "{model_url}",
        "LLM_API_KEY": "{model_token}",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "OPENHANDS_SUPPRESS_BANNER": "1",
    },
    version_command=(
        f"{HERE}/bin/python3.12",
        "-c",
        "from importlib.metadata import version; print(version('openhands'))",
    ),
    trace=Trace(format="openhands"),
    endings={
        "status:finished": OwnEnding.FINISHED,
        "status:error": OwnEnding.MODEL_ERROR,
        "status:max_iterations": OwnEnding.OWN_LIMIT,
        "exit:1": OwnEnding.CRASHED_AT_START,
        "exit:2": OwnEnding.CRASHED_AT_START,
    },
)

agent = partial(PresetAgent, PRESET)
