"""The one shape of a preset: what has to be known to run a real agent, and nothing that an arm says for itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.ports import Trace
from denominator.records.facts import OwnEnding

HERE = "/opt/agent"
"""Where the arm's mount shows the agent's installation."""
PRESET_MARK = "{preset}"
"""An element of an arm's `command` that stands for the whole command of its preset."""

CARRIED = ("openai_chat", "openai_responses", "anthropic_messages")
"""What the gateway forwards; an agent that speaks something else reaches no model."""
APIS = (*CARRIED, "gemini")


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One real agent.

    `command`, `env` and `version_command` are templates as an arm of agent `command` has them. `version_pattern` finds
    the version in what the version command prints, in its first group. `against` is the version it was written against
    and `ran` says whether we ran it. `trace` says where its trajectory lies and which reader takes it. `endings` maps
    what the agent says of its own end ("status:WORD", as its reader gives it) and its exit code ("exit:N") to words of
    ours; an observation, never a verdict.
    """

    name: str
    title: str
    against: str
    ran: str
    install: str
    api: str
    command: tuple[str, ...]
    version_command: tuple[str, ...]
    trace: Trace
    env: Mapping[str, str] = field(default_factory=dict)
    version_pattern: str = r"(\d+\.\d+[0-9A-Za-z.+-]*)"
    endings: Mapping[str, OwnEnding] = field(default_factory=dict)

    def version_in(self, printed: str) -> str:
        """The version in what the version command printed; empty where there is none."""
        found = re.search(self.version_pattern, printed)
        return found[1] if found else ""
