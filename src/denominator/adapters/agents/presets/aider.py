"""aider 0.86.2 (run by us). It needs a Python below 3.13.

Nothing is committed and `.gitignore` stays as it is. Its repository map keeps a cache inside the repository, which would
be part of every patch; the line before its own `main` moves that cache to /tmp, keeps it from fetching a list of prices, and
changes nothing else. Its event log, written with telemetry off, is where exact token counts stand: the chat history rounds
them. It asks for no update, prints no release notes and needs no network. It ends with exit code 0 also when every call of
the model failed. Answers are not streamed: a stream of its carries no usage.
"""

from __future__ import annotations

from functools import partial

from denominator.adapters.agents.presets.agent import PresetAgent
from denominator.adapters.agents.presets.shape import HERE, Preset
from denominator.ports import Trace
from denominator.records.facts import OwnEnding

_MAIN = (
    "import sys; from aider.repomap import RepoMap; RepoMap.TAGS_CACHE_DIR = '/tmp/aider-tags'; "
    "from aider.models import ModelInfoManager; ModelInfoManager._update_cache = lambda _: None; "
    "from aider.main import main; sys.exit(main())"
)

PRESET = Preset(
    name="aider",
    title="aider",
    against="0.86.2",
    ran="run by us",
    install="/usr/bin/python3 -m venv DIR && DIR/bin/pip install aider-chat==0.86.2 (Python below 3.13)",
    api="openai_chat",
    command=(
        *(f"{HERE}/bin/python", "-c", _MAIN),
        *("--model", "openai/{model}"),
        *("--message-file", "{prompt_file}"),
        *("--yes-always", "--no-auto-commits", "--no-dirty-commits", "--no-gitignore"),
        *("--no-check-update", "--no-show-release-notes", "--no-show-model-warnings", "--no-analytics"),
        *("--no-stream", "--no-detect-urls", "--no-suggest-shell-commands", "--no-fancy-input", "--no-pretty"),
        *("--chat-history-file", "{outdir}/aider.chat.md"),
        *("--analytics-log", "{outdir}/aider.events.jsonl"),
        *("--llm-history-file", "/tmp/aider.llm.history"),
        *("--input-history-file", "/tmp/aider.input.history"),
    ),
    env={
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "OPENAI_API_KEY": "{model_token}",
        "OPENAI_API_BASE": "{model_url}",
    },
    version_command=(
        f"{HERE}/bin/python",
        "-c",
        "from importlib.metadata import version; print(version('aider-chat'))",
    ),
    trace=Trace(format="aider", files={"": "aider.chat.md", "events": "aider.events.jsonl"}),
    endings={
        "status:Completed --message-file": OwnEnding.FINISHED,
        "status:Completed --message": OwnEnding.FINISHED,
        "status:message_send_exception": OwnEnding.MODEL_ERROR,
        "status:Control-C": OwnEnding.GAVE_UP,
        "exit:1": OwnEnding.CRASHED_AT_START,
        "exit:2": OwnEnding.CRASHED_AT_START,
    },
)

agent = partial(PresetAgent, PRESET)
