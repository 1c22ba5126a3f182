"""One reader a format, by name; an agent's preset says which."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.readers.trajectories import (
    aider,
    claude_code,
    codex,
    gemini_cli,
    mini_swe_agent,
    opencode,
    openhands,
)
from denominator.readers.trajectories.check import atif_problems
from denominator.readers.trajectories.shape import Parts, Reader, Told
from denominator.records.values import NotMeasured

FORMATS: Mapping[str, Reader] = {
    "mini-swe-agent": mini_swe_agent.read,
    "aider": aider.read,
    "openhands": openhands.read,
    "claude-code": claude_code.read,
    "codex": codex.read,
    "opencode": opencode.read,
    "gemini-cli": gemini_cli.read,
}


def read_told(format_: str, parts: Parts) -> Told | NotMeasured:
    """What the files say, or why nothing. Never raises; a document that breaks the format is not given."""
    reader = FORMATS.get(format_)
    if reader is None:
        return NotMeasured(f"no reader takes trajectories of format {format_!r}")
    if not any(data.strip() for data in parts.values()):
        return NotMeasured("the agent left no trajectory")
    told = reader(parts)
    if isinstance(told, Told) and (wrong := atif_problems(told.atif)):
        return NotMeasured(f"the trajectory cannot be told: {wrong[0]}")
    return told
