"""An agent by a preset: the arm's command and environment are filled from it, then it is a `command`."""

from __future__ import annotations

from dataclasses import replace

from denominator._version import __version__
from denominator.adapters.agents.command import Command
from denominator.adapters.agents.contract import Setup
from denominator.adapters.agents.presets.shape import PRESET_MARK, Preset
from denominator.ports import AgentPlan, AgentTask
from denominator.records.envelopes import Arm


class PresetAgent:
    """Runs a preset. The arm may have been equipped already, as a sealed one is: doing it again changes nothing."""

    needs_gold = False

    def __init__(self, preset: Preset, setup: Setup | None = None) -> None:
        self.preset, self.name = preset, preset.name
        self.command = Command(setup)

    def plan(self, task: AgentTask) -> AgentPlan:
        """The preset's command for one task, and where its trajectory will lie."""
        plan = self.command.plan(replace(task, arm=equip(task.arm, self.preset)))
        endings = {said: str(word) for said, word in self.preset.endings.items()}
        return replace(plan, trace=replace(self.preset.trace, endings=endings))

    def version(self) -> str:
        """Of this adapter; the program's own version is asked for in the sandbox before the seal."""
        return __version__


def equip(arm: Arm, preset: Preset) -> Arm:
    """What the arm writes wins: variables one by one, a command as a whole; `{preset}` in it is the preset's command."""
    command: tuple[str, ...] = ()
    for part in arm.command or (PRESET_MARK,):
        command += preset.command if part == PRESET_MARK else (part,)
    return replace(arm, command=command, env={**preset.env, **arm.env})
