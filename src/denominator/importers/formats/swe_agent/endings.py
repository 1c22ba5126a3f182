"""How attempts of SWE-agent end."""

from __future__ import annotations

import re

from denominator.importers.agentruns import Handed
from denominator.importers.crashes import (
    CONTEXT_AT_ONCE,
    CONTEXT_LATER,
    CRASHES,
    OTHER,
    class_in,
    crash_of,
    is_class,
)
from denominator.importers.foreign import failure
from denominator.importers.swebench.endings import NO_PATCH
from denominator.records.foreign import Ending
from denominator.records.words import KilledBy, Phase, StopReason, Writer

SUBMITTED = Ending(
    word="submitted, with a patch", outcome="unscoreable", origin="HARNESS",
    why="a patch without a verdict: nothing graded it here; grade it and import the evaluation",
)  # fmt: skip
EMPTY = Ending(
    word="submitted, with an empty patch or null", outcome="abstain", origin="MODEL", facts={"patch": NO_PATCH},
    why="the agent submitted and had changed nothing",
)  # fmt: skip
LATE = Ending(
    word="submitted (exit_cost), (exit_context), (exit_total_execution_time), (exit_command_timeout), (exit_format)",
    outcome="unscoreable", origin="HARNESS", facts={"after_cap": True},
    why="a limit of its own was reached, what was on disk was submitted, and nothing graded it here",
)  # fmt: skip


def _budget(word: str, stop: str, why: str) -> Ending:
    return Ending(word=word, outcome="fail", origin="MODEL", facts={"stop_reason": stop}, why=why)


COST = _budget(
    "exit_cost", StopReason.BUDGET, "its declared limit on cost or calls was reached, with nothing to submit"
)
TOTAL_TIME = _budget(
    "exit_total_execution_time", StopReason.TIMEOUT, "its declared limit on the time of its commands was reached"
)
COMMANDS = _budget(
    "exit_command_timeout", StopReason.TIMEOUT, "its commands ran into their limit as often as was declared"
)
FORMAT = _budget(
    "exit_format", StopReason.BUDGET, "the model gave no usable reply as often as its declared limit allows"
)
FORFEIT = Ending(
    word="exit_forfeit, submitted (exit_forfeit)", outcome="abstain", origin="MODEL", facts={"abstained": True},
    why="the agent gave up with the tool for it; what was on disk may have been submitted",
)  # fmt: skip
EXIT = Ending(
    word="exit_command", outcome="abstain", origin="MODEL", facts={"stop_reason": StopReason.NO_PATCH},
    why="the agent left without submitting anything",
)  # fmt: skip
BOX = Ending(
    word="exit_environment_error, early_exit", outcome="unscoreable", origin="INFRA", reason="env_flake",
    facts={"first_unrecovered": failure("sandbox_unreachable", Writer.SANDBOX, Phase.AGENT)},
    why="the shell of its box broke",
)  # fmt: skip
API = Ending(
    word="exit_api, and no class is named", outcome="unscoreable", origin="INFRA", reason="provider_error",
    facts={"first_unrecovered": failure("provider_error", Writer.PROVIDER, Phase.AGENT)},
    why="calls of the model were tried again until it gave up",
)  # fmt: skip
ERROR = Ending(
    word="exit_error, and no class is named", outcome="unscoreable", origin="HARNESS", reason="no_verdict",
    facts={"first_unrecovered": failure("harness_error", Writer.HARNESS, Phase.AGENT)},
    why="an error that names no cause",
)  # fmt: skip
SKIPPED = Ending(
    word="skipped", outcome="unscoreable", origin="HARNESS", reason="harness_killed",
    facts={"killed_by": KilledBy.HARNESS_STOP}, why="a person skipped it (versions 0.x)",
)  # fmt: skip
UNFINISHED = Ending(
    word="null, unknown_exit, or no info in a trajectory", outcome="unscoreable", origin="HARNESS", facts={"closed": False},
    why="the trajectory has no ending: it was being written when the run died",
)  # fmt: skip
LOST = Ending(
    word="no trajectory, and no exit status or no patch", outcome="unscoreable", origin="HARNESS", reason="missing_artifact",
    why="it was begun, or an entry without a patch is left, and nobody knows how it ended",
    facts={"first_unrecovered": failure("missing_artifact", Writer.HARNESS, Phase.AGENT)},
)  # fmt: skip
CAPS = {
    "exit_cost": COST,
    "exit_total_execution_time": TOTAL_TIME,
    "exit_command_timeout": COMMANDS,
    "exit_format": FORMAT,
}
OTHERS = {
    "exit_forfeit": FORFEIT,
    "exit_command": EXIT,
    "exit_environment_error": BOX,
    "early_exit": BOX,
    "skipped": SKIPPED,
    "unknown_exit": UNFINISHED,
}
ENDINGS: tuple[Ending, ...] = (
    SUBMITTED, EMPTY, LATE, COST, TOTAL_TIME, COMMANDS, FORMAT, FORFEIT, EXIT, BOX, API, ERROR, SKIPPED, UNFINISHED, LOST,
    *CRASHES,
)  # fmt: skip
_LATE = re.compile(r"submitted \((\w+)\)\Z")
_SKIPPED = re.compile(r"skipped \((.+)\)\Z")
_UNCAUGHT = "Uncaught "


def plain_status(word: str) -> str:
    """An exit status without the note that a later start skipped it."""
    found = _SKIPPED.match(word)
    return found.group(1) if found else word


def bare(status: str) -> str:
    """What ended it, whether or not something was submitted afterwards."""
    found = _LATE.match(status)
    return found.group(1) if found else status


def ending_of(status: str, patch: Handed | None, calls: int | None, message: str = "") -> Ending | None:
    """The ending of a status; None where it is a word that nobody listed. `message`: what the harness wrote of an error."""
    if status == "submitted":
        return EMPTY if patch is None or patch.empty else SUBMITTED
    word = bare(status)
    late = word != status and patch is not None and not patch.empty
    if word in CAPS or word == "exit_context":
        return LATE if late else _context(calls) if word == "exit_context" else CAPS[word]
    if word in OTHERS:
        return OTHERS[word]
    if word in ("exit_error", "exit_api"):
        named = crash_of(class_in(message), calls) if class_in(message) else OTHER
        return named if named is not OTHER else API if word == "exit_api" else ERROR
    if word.startswith(_UNCAUGHT) and is_class(word.removeprefix(_UNCAUGHT)):
        return crash_of(word.removeprefix(_UNCAUGHT), calls)
    return None


def _context(calls: int | None) -> Ending:
    return CONTEXT_AT_ONCE if calls is not None and calls <= 1 else CONTEXT_LATER
