"""How the agent ended, where its own files lie beside an evaluation: whose an empty patch is."""

from __future__ import annotations

import re
from collections.abc import Mapping

from denominator.importers.agentruns import exit_statuses
from denominator.importers.crashes import BY_CAUSE, CRASHES, OTHER, crash_of, is_class
from denominator.importers.swebench.endings import NO_PATCH
from denominator.records.foreign import Ending, Told
from denominator.records.words import StopReason
from denominator.wire.sources import Source

STATUSES = re.compile(r"(?:run_batch_)?exit_statuses(?:_[0-9.]{1,24})?\.yaml\Z")
LATE = re.compile(r"[Ss]ubmitted \((exit_\w{1,40})\)\Z")
SUBMITTED = ("", "null", "Submitted", "submitted")
BUDGET = Ending(
    word="an empty patch, and the agent's own files say LimitsExceeded, RepeatedFormatError, exit_cost, exit_context, exit_format",
    outcome="fail", origin="MODEL", facts={"stop_reason": StopReason.BUDGET, "patch": NO_PATCH},
    why="a declared limit of the agent ended it before anything was handed in",
)  # fmt: skip
TIME = Ending(
    word="an empty patch, and the agent's own files say TimeExceeded, exit_total_execution_time, exit_command_timeout",
    outcome="fail", origin="MODEL", facts={"stop_reason": StopReason.TIMEOUT, "patch": NO_PATCH},
    why="a declared limit of the agent on time ended it before anything was handed in",
)  # fmt: skip
KNOWN: Mapping[str, Ending] = {
    **dict.fromkeys(("LimitsExceeded", "RepeatedFormatError", "FormatError", "exit_cost", "exit_context", "exit_format"), BUDGET),
    **dict.fromkeys(("TimeExceeded", "exit_total_execution_time", "exit_command_timeout"), TIME),
    **dict.fromkeys(("UserInterruption", "skipped"), BY_CAUSE["harness_killed"]),
    **dict.fromkeys(("exit_environment_error", "early_exit"), BY_CAUSE["sandbox_unreachable"]),
    "exit_api": BY_CAUSE["provider_error"],
    "exit_error": OTHER,
}  # fmt: skip
OF_AGENTS = (BUDGET, TIME, *CRASHES)


def statuses_of(files: Source, beside: str, told: Told) -> dict[str, str]:
    """Exit statuses by id, of the files in the folder of the predictions; of the only folder that has some where none lie there."""
    found = [name for name in files.names() if STATUSES.match(name.rpartition("/")[2])]
    folders = {name.rpartition("/")[0] for name in found}
    folder = beside if beside in folders else next(iter(folders)) if len(folders) == 1 else None
    statuses: dict[str, str] = {}
    for name in sorted(found):
        if name.rpartition("/")[0] == folder:
            statuses |= exit_statuses(files, name, told)
            told.files[name] = "how the agent ended"
    return statuses


def by_status(status: str) -> Ending | None:
    """What an empty patch is by the agent's exit status; None where that says no more."""
    if late := LATE.match(status):
        status = late[1]
    if status in SUBMITTED:
        return None
    if status in KNOWN:
        return KNOWN[status]
    return crash_of(status) if is_class(status) and status[:1].isupper() else None
