"""How attempts of mini-swe-agent end."""

from __future__ import annotations

from denominator.importers.agentruns import Handed
from denominator.importers.crashes import CRASHES, crash_of, is_class
from denominator.importers.foreign import failure
from denominator.importers.swebench.endings import NO_PATCH
from denominator.records.foreign import Ending
from denominator.records.words import KilledBy, Phase, StopReason, Writer

SUBMITTED = Ending(
    word="Submitted, with a patch", outcome="unscoreable", origin="HARNESS",
    why="a patch without a verdict: nothing graded it here; grade it and import the evaluation",
)  # fmt: skip
EMPTY = Ending(
    word="Submitted, with an empty patch", outcome="abstain", origin="MODEL", facts={"patch": NO_PATCH},
    why="the agent said that it was done and had changed nothing",
)  # fmt: skip
NO_TEXT = Ending(
    word="Submitted, and no file holds what", outcome="unscoreable", origin="HARNESS", reason="missing_artifact",
    why="the submission is lost", facts={"first_unrecovered": failure("missing_artifact", Writer.HARNESS, Phase.AGENT)},
)  # fmt: skip
LIMITS = Ending(
    word="LimitsExceeded", outcome="fail", origin="MODEL", facts={"stop_reason": StopReason.BUDGET},
    why="its declared limit on steps or cost was reached; no patch is collected then",
)  # fmt: skip
TIME = Ending(
    word="TimeExceeded", outcome="fail", origin="MODEL", facts={"stop_reason": StopReason.TIMEOUT},
    why="its declared limit on wall time was reached; no patch is collected then",
)  # fmt: skip
FORMAT = Ending(
    word="RepeatedFormatError, FormatError", outcome="fail", origin="MODEL", facts={"stop_reason": StopReason.BUDGET},
    why="the model gave no usable reply as often as its declared limit allows",
)  # fmt: skip
USER = Ending(
    word="UserInterruption", outcome="unscoreable", origin="HARNESS", reason="harness_killed",
    facts={"killed_by": KilledBy.HARNESS_STOP}, why="a person stopped it",
)  # fmt: skip
UNFINISHED = Ending(
    word='"", null, or none in a trajectory', outcome="unscoreable", origin="HARNESS", facts={"closed": False},
    why="the trajectory has no ending: it was being written when the run died, or its form keeps none",
)  # fmt: skip
LOST = Ending(
    word="no trajectory and no exit status", outcome="unscoreable", origin="HARNESS", reason="missing_artifact",
    why="only an entry without a patch is left, and nobody knows how it ended",
    facts={"first_unrecovered": failure("missing_artifact", Writer.HARNESS, Phase.AGENT)},
)  # fmt: skip
GLOBAL_CAP = Ending(
    word="RuntimeError: Global cost/call limit exceeded", outcome="unscoreable", origin="INFRA",
    reason="quota_exhausted", facts={"run_cap_cut": True}, why="the limit of the whole run cut it",
)  # fmt: skip
BY_STATUS = {
    "LimitsExceeded": LIMITS,
    "TimeExceeded": TIME,
    "RepeatedFormatError": FORMAT,
    "FormatError": FORMAT,
    "UserInterruption": USER,
}
ENDINGS: tuple[Ending, ...] = (
    SUBMITTED, EMPTY, NO_TEXT, LIMITS, TIME, FORMAT, USER, UNFINISHED, LOST, GLOBAL_CAP, *CRASHES
)  # fmt: skip
CAP_TEXT = "Global cost/call limit exceeded"
UNCAUGHT = "Uncaught "


def ending_of(status: str, patch: Handed | None, calls: int | None, message: str = "") -> Ending | None:
    """The ending of a status that is known; None where it is a word that nobody listed. `message`: of the exception."""
    if status == "Submitted":
        return NO_TEXT if patch is None else EMPTY if patch.empty else SUBMITTED
    if status in BY_STATUS:
        return BY_STATUS[status]
    name = status.removeprefix(UNCAUGHT)
    if not is_class(name):
        return None
    if name == "RuntimeError" and message.startswith(CAP_TEXT):
        return GLOBAL_CAP
    return crash_of(name, calls)
