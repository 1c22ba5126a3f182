"""The version of an agent as its own program says it, asked in the sandbox before anything is sealed."""

from __future__ import annotations

from dataclasses import replace

from denominator.adapters.agents.mounts import read_mount
from denominator.adapters.agents.placeholders import used
from denominator.adapters.agents.presets import preset_named
from denominator.adapters.agents.presets.shape import Preset
from denominator.errors import InputError
from denominator.pipeline.world import World
from denominator.ports import Ended, Job, Mount
from denominator.records.envelopes import Arm, Envelope
from denominator.records.seals import NOT_ASKED
from denominator.records.values import NotMeasured
from denominator.run.budgets import agent_limits

WALL_S = 120.0
OUTPUT_BYTES = 1 << 16
SHOWN = 200


def reported_version(world: World, arm: Arm, envelope: Envelope, where: str) -> str | NotMeasured:
    """What the program in the arm's mount calls itself. Refuses an arm that declares another version.

    Only a preset knows how to ask. The program runs as the agent will, without the network.
    """
    preset = preset_named(arm.agent)
    if preset is None:
        return NOT_ASKED
    ended = world.sandbox.run(_job(arm, envelope, preset))
    seen = preset.version_in(ended.stdout.decode("utf-8", "replace"))
    if not seen:
        what = f"agent {preset.name} does not say its version in the sandbox: {_why(ended)}"
        raise InputError(what, where=f"{where}: arm.mounts", fix=f"show it at /opt/agent, made by: {preset.install}")
    if seen != arm.agent_version:
        what = f"arm {arm.label!s} declares {preset.name} {arm.agent_version!s}, its program in the sandbox says {seen}"
        raise InputError(what, where=f"{where}: arm.agent_version", fix=f'agent_version = "{seen}", or mount the other')
    return seen


def _job(arm: Arm, envelope: Envelope, preset: Preset) -> Job:
    limits = agent_limits(envelope)
    return Job(
        argv=preset.version_command,
        role="agent",
        limits=replace(limits, wall_s=min(limits.wall_s, WALL_S), output_bytes=OUTPUT_BYTES),
        mounts=[mount for mount in map(read_mount, arm.mounts) if isinstance(mount, Mount)],
        env={name: value for name, value in arm.env.items() if not list(used(value))},
    )


def _why(ended: Ended) -> str:
    if ended.start_error:
        return ended.start_error
    said = (ended.stderr or ended.stdout).decode("utf-8", "replace").strip().splitlines()
    last = f": {said[-1][:SHOWN]}" if said else ""
    return f"exit {ended.exit_code}, ended by {ended.killed_by}{last}"
