"""Which model call of an attempt a fault of the provider hits: the bench's agent asks three times, and only before its patch."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.faultbench.kinds import COMMAND, Setting
from denominator.records.faults import Fault
from denominator.records.words import Checkpoint

CALLS: Mapping[str, int] = {Checkpoint.CONTEXT_LOADED: 1, Checkpoint.PATCH_DRAFTED: 2}
"""At a checkpoint the call that comes next: the first one, and the one after the edit is in the workspace."""


def why_no_call(setting: Setting, fault: Fault) -> str:
    """Why the gateway cannot make this fault there."""
    if setting.subject == COMMAND:
        return "the bench is not between this command and its model"
    if fault.at not in CALLS:
        return f"no model is called after {fault.at}"
    return setting.gateway
