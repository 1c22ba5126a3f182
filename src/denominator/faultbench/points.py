"""Where a fault is made in our own runner: the failpoint of a checkpoint, and what the process is told to arm."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.adapters.failpoints import ACTIONS, parse
from denominator.catalog.failpoints import by_name
from denominator.errors import InputError
from denominator.faultbench.faults import BY_NAME
from denominator.faultbench.faults.slow import DRIP_MS
from denominator.faultbench.provider import CALLS
from denominator.records.envelopes import ProviderFault
from denominator.records.faults import Fault, FaultKind
from denominator.records.words import Checkpoint

POINTS: Mapping[str, str] = {
    Checkpoint.CONTEXT_LOADED: "context.done.synced",
    Checkpoint.PATCH_DRAFTED: "draft.done.synced",
    Checkpoint.PATCH_APPLIED: "patch.done.synced",
    # The row of this one and the attempt's ending are one commit: the point in which work is left is before it.
    Checkpoint.TESTS_RUN: "verify.done",
}


def arming(fault: Fault | None) -> str:
    """The text of DENOMINATOR_FAILPOINTS: the process stops itself at the point, so that the bench sees it arrive.

    What it does itself then (leave, see an error, sleep) is armed behind the stop, at the same hit.
    """
    if fault is None or gateway_fault(fault, "") is not None:
        return ""
    if fault.at_checkpoint:
        point, action = POINTS[fault.at], BY_NAME[fault.kind].failpoint
        return f"{point}=stop@1" + (f",{point}={action}@1" if action else "")
    nth = f"@{fault.nth}" if fault.nth else ""
    value = f":{fault.value}" if fault.value else ""
    return f"{fault.at}=stop{nth},{fault.at}={fault.kind}{value}{nth}"


def gateway_fault(fault: Fault | None, task: str) -> ProviderFault | None:
    """The fault that the gateway makes at the model call that comes next after the checkpoint; None for every other one."""
    kind = BY_NAME.get(fault.kind) if fault is not None and fault.at_checkpoint else None
    if fault is None or kind is None or not kind.gateway or fault.at not in CALLS:
        return None
    value = int(fault.value) if fault.value.isdigit() else DRIP_MS if fault.kind == FaultKind.SLOW else 0
    return ProviderFault(kind=kind.gateway, task=task, repeat=1, attempt=1, call=CALLS[fault.at], value=value)


def failpoint_problem(fault: Fault) -> str:
    """Why our runner cannot be told this failpoint; "" when it can. `stop` would wait for somebody for ever."""
    if fault.kind == "stop":
        return "stop is what the bench itself does there: plan what is to happen"
    try:
        parse(fault.text)
    except InputError as error:
        actions = ", ".join(action for action in ACTIONS if action != "stop")
        return f"{error.what} (points: {len(by_name())}, see faultbench list; actions: {actions})"
    return ""
