"""Presets of real agents, as the command line and starters see them."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.adapters.agents.presets import PRESETS
from denominator.envelopes import PresetStart


def preset_starts() -> Mapping[str, PresetStart]:
    """What a starter needs of every preset, by name."""
    return {one.name: PresetStart(agent=one.name, version=one.against, install=one.install) for one in PRESETS}
