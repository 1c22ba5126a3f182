"""Presets of real agents: one small file each (docs/agents/README.md). Explicit: a test finds the file nobody listed."""

from __future__ import annotations

from denominator.adapters.agents.presets import (
    aider,
    claude_code,
    codex,
    gemini_cli,
    mini_swe_agent,
    opencode,
    openhands,
)
from denominator.adapters.agents.presets.shape import Preset

PRESETS: tuple[Preset, ...] = (
    mini_swe_agent.PRESET,
    aider.PRESET,
    openhands.PRESET,
    claude_code.PRESET,
    codex.PRESET,
    opencode.PRESET,
    gemini_cli.PRESET,
)


def preset_named(name: object) -> Preset | None:
    """The preset of this agent, if it is one."""
    return next((preset for preset in PRESETS if preset.name == name), None)
