"""mini-swe-agent 2.4.6 (run by us).

`python -m` and not the `mini` script: a virtual environment's scripts name the place where they were made, and the sandbox
shows it at another. Without `MSWEA_COST_TRACKING=ignore_errors` it dies after its first step on a model whose price it does
not know. Its own cost limit of 3 dollars is taken away: the envelope's budgets are the ones that are recorded. It ends with
exit code 0 also when it hit a limit of its own; the trajectory's exit status says which.
"""

from __future__ import annotations

from functools import partial

from denominator.adapters.agents.presets.agent import PresetAgent
from denominator.adapters.agents.presets.shape import HERE, Preset
from denominator.ports import Trace
from denominator.records.facts import OwnEnding

PRESET = Preset(
    name="mini-swe-agent",
    title="mini-swe-agent",
    against="2.4.6",
    ran="run by us",
    install="/usr/bin/python3 -m venv DIR && DIR/bin/pip install mini-swe-agent==2.4.6",
    api="openai_chat",
    command=(
        f"{HERE}/bin/python",
        *("-m", "minisweagent.run.mini"),
        *("-m", "openai/{model}"),
        *("-t", "{prompt}"),
        *("-y", "--exit-immediately"),
        *("-l", "0"),
        *("-o", "{outdir}/trajectory.json"),
    ),
    env={
        "MSWEA_GLOBAL_CONFIG_DIR": "/tmp/mini",
        "MSWEA_CONFIGURED": "true",
        "MSWEA_SILENT_STARTUP": "1",
        "MSWEA_COST_TRACKING": "ignore_errors",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "OPENAI_API_KEY": "{model_token}",
        "OPENAI_BASE_URL": "{model_url}",
    },
    version_command=(
        f"{HERE}/bin/python",
        "-c",
        "from importlib.metadata import version; print(version('mini-swe-agent'))",
    ),
    trace=Trace(format="mini-swe-agent", files={"": "trajectory.json"}),
    endings={
        "status:Submitted": OwnEnding.FINISHED,
        "status:LimitsExceeded": OwnEnding.OWN_LIMIT,
        "status:TimeExceeded": OwnEnding.OWN_LIMIT,
        "status:RepeatedFormatError": OwnEnding.GAVE_UP,
        "status:UserInterruption": OwnEnding.GAVE_UP,
        "status:APIConnectionError": OwnEnding.MODEL_ERROR,
        "status:APIError": OwnEnding.MODEL_ERROR,
        "status:AuthenticationError": OwnEnding.MODEL_ERROR,
        "status:BadRequestError": OwnEnding.MODEL_ERROR,
        "status:ContextWindowExceededError": OwnEnding.MODEL_ERROR,
        "status:InternalServerError": OwnEnding.MODEL_ERROR,
        "status:NotFoundError": OwnEnding.MODEL_ERROR,
        "status:PermissionDeniedError": OwnEnding.MODEL_ERROR,
        "status:RateLimitError": OwnEnding.MODEL_ERROR,
        "status:ServiceUnavailableError": OwnEnding.MODEL_ERROR,
        "status:Timeout": OwnEnding.MODEL_ERROR,
        "status:UnsupportedParamsError": OwnEnding.MODEL_ERROR,
        "exit:1": OwnEnding.CRASHED_AT_START,
        "exit:2": OwnEnding.CRASHED_AT_START,
    },
)

agent = partial(PresetAgent, PRESET)
