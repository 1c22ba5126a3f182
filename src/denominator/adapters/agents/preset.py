"""What the harness asks of presets before a run: the filled arm, and what keeps it from running."""

from __future__ import annotations

from collections.abc import Iterator

from denominator.adapters.agents.presets import preset_named
from denominator.adapters.agents.presets.agent import equip
from denominator.adapters.agents.presets.shape import CARRIED
from denominator.errors import Problem
from denominator.records.envelopes import Arm


def equipped(arm: Arm) -> Arm:
    """The arm with its preset's command and environment; an arm without a preset as it is."""
    preset = preset_named(arm.agent)
    return arm if preset is None else equip(arm, preset)


def preset_problems(arm: Arm) -> Iterator[Problem]:
    """What keeps a preset from running whatever the machine."""
    preset = preset_named(arm.agent)
    if preset is None:
        return
    if not arm.mounts:
        what = f"agent {preset.name!r} is not installed in the sandbox"
        yield Problem("mounts", what, f'mounts = ["/path/to/its/folder=/opt/agent"], made by: {preset.install}')
    if preset.api not in CARRIED:
        what = f"{preset.title} speaks the {preset.api} API, which the gateway does not carry"
        yield Problem("agent", what, "an agent that speaks " + ", ".join(CARRIED))
