"""Who sent the signal, and whether the limit that is claimed was reached by the clock: before any number of a signal."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.importers.columns import Cells
from denominator.importers.logs.story import CAPS, DEADLINE
from denominator.importers.logs.told import Told
from denominator.importers.stamps import shown
from denominator.importers.values import BadValueError, seconds
from denominator.records.words import KilledBy, StopReason

ROUNDING_MS = 1_000
"""Clocks of different programs differ, and durations are rounded to seconds."""
SENDERS: Mapping[str, str] = {
    **{word.value: word.value for word in KilledBy},
    "none": KilledBy.NOBODY,
    "agent": KilledBy.SELF,
    "kernel": KilledBy.KERNEL_OOM,
    "oom": KilledBy.KERNEL_OOM,
    "oom_killer": KilledBy.KERNEL_OOM,
    "oomkiller": KilledBy.KERNEL_OOM,
    "cgroup_oom": KilledBy.KERNEL_OOM,
    "operator": KilledBy.HARNESS_STOP,
    "user": KilledBy.HARNESS_STOP,
    "harness": KilledBy.HARNESS_STOP,
    "harness_shutdown": KilledBy.HARNESS_STOP,
    "verifier_deadline": KilledBy.VERIFY_TIMEOUT,
}
DEADLINES = frozenset(
    {DEADLINE, "deadline", "agent_deadline", "wall_cap", "timeout", "agent_timeout", "harness_timeout"}
)
NODE = frozenset({"kubelet", "scheduler", "node", "preemption", "spot", "eviction", "host", "cluster"})
OTHER_LIMITS = ("harness_", "command_", "per_command", "tool_", "default_", "ci_", "job_")
"""How limits are called that nobody gave the agent: a default of the harness, of one command, of the job around it."""
LIMITS = (("agent_wall_s", "wall_s"), ("wall_s", "wall_s"), ("working_s", "working_s"), ("agent_working_s", "working_s"),
          ("per_command_s", "per_command_s"))  # fmt: skip


@dataclass(slots=True)
class Limit:
    """What the limits came to: row fields; `elsewhere`: another limit than the agent's own ended it; `node`: its host did."""

    fields: dict[str, object] = field(default_factory=dict)
    elsewhere: bool = False
    node: bool = False


def limits_of(cells: Cells, told: Told, *, graded: bool) -> Limit:
    """Clock fields, killed_by, stop_reason and after_cap."""
    found = Limit(_clock(cells, told))
    sender = told.text("killed_by").lower()
    if sender in DEADLINES:
        _deadline(found, cells, told, graded=graded)
    elif sender in NODE:
        found.node = True
    elif sender in SENDERS:
        found.fields["killed_by"] = SENDERS[sender]
    elif sender.startswith(OTHER_LIMITS):
        found.elsewhere = True
    elif sender:
        cells.extra.setdefault("facts.killed_by", f'"{sender}"')
    if "claimed_timeout_s" in told.facts and not sender:
        _claimed(found, cells, told, graded=graded)
    if (number := _signal(told)) is not None:
        found.fields["agent_signal"] = number
    return found


def _clock(cells: Cells, told: Told) -> dict[str, object]:
    """Wall, paused and working time in milliseconds: working is what the pauses leave, where nobody states it."""
    fields: dict[str, object] = {}
    wall = told.number("elapsed_s")
    wall = told.story.elapsed_ms if wall is None else wall
    paused, calls = told.number("paused_s"), told.story.calls
    paused = told.number("provider_wait_s") if paused is None else paused
    if paused is None and calls.seen and not told.story.cut:
        paused = calls.waited_ms
    working = told.number("working_s")
    if working is None and wall is not None and paused is not None:
        working = max(0, wall - paused)
    for name, value in (("wall_ms", wall), ("paused_ms", paused), ("working_ms", working)):
        if value is not None:
            fields[name] = value
    if "wall_ms" in fields and ("wall_s" in cells.known or "wall_ms" in cells.known):
        del fields["wall_ms"]
    if (retries := told.number("provider_retries")) is not None:
        fields["provider_retries"] = retries
    elif calls.seen and not told.story.cut:
        fields["provider_retries"] = calls.retries
    return fields


def cap_ms(cells: Cells, told: Told) -> int | None:
    """The agent's own declared limit on wall time."""
    stated, declared = told.number("wall_cap_s"), _declared(told, "wall_s")
    if stated is not None:
        return stated
    return min(declared) if declared else cells.number("wall_cap")


def _declared(told: Told, name: str) -> list[int]:
    """The declared limits of one kind in milliseconds; what is no duration declares nothing."""
    limits = told.table("limits")
    return [ms for key, kind in LIMITS if kind == name and (ms := _ms(limits.get(key))) is not None]


def _ms(value: object) -> int | None:
    try:
        return seconds(value)
    except BadValueError:
        return None


def _deadline(found: Limit, cells: Cells, told: Told, *, graded: bool) -> None:
    """The harness sent the signal at a deadline: the agent's own only when its declared limit was reached."""
    cap, wall = cap_ms(cells, told), found.fields.get("wall_ms", _stated_wall(cells))
    if "working_cap" in told.story.at or _worked_out(found, told):
        found.fields.update(_spent(KilledBy.BUDGET_WORKING, graded))
    elif cap is None or (isinstance(wall, int) and wall + ROUNDING_MS < cap):
        found.elsewhere = True
    else:
        found.fields.update(_spent(KilledBy.BUDGET_WALL, graded))


def _stated_wall(cells: Cells) -> int | None:
    """How long it ran as the row itself says, in either unit: time in a queue is none of it."""
    wall = cells.number("wall_ms")
    return cells.number("wall_s") if wall is None else wall


def _worked_out(found: Limit, told: Told) -> bool:
    """Was a declared limit on working time reached?"""
    worked, cap = found.fields.get("working_ms"), told.number("working_cap_s")
    caps = [cap] if cap is not None else _declared(told, "working_s")
    return isinstance(worked, int) and any(worked + ROUNDING_MS >= one for one in caps)


def _claimed(found: Limit, cells: Cells, told: Told, *, graded: bool) -> None:
    """A message claims a limit: it is held against the clock, and against the limits as declared."""
    claimed, wall, cap = told.number("claimed_timeout_s"), found.fields.get("wall_ms"), cap_ms(cells, told)
    if claimed is None or not isinstance(wall, int):
        return
    if wall + ROUNDING_MS < claimed or (cap is not None and claimed + ROUNDING_MS < cap):
        found.elsewhere = True
    else:
        found.fields.update(_spent(KilledBy.BUDGET_WALL, graded))


def _spent(sender: str, graded: bool) -> dict[str, object]:
    return {"killed_by": sender, "stop_reason": StopReason.TIMEOUT, "after_cap": graded}


def capped_at(told: Told) -> int | None:
    """When the harness enforced a cap, by the log's clock."""
    return min((told.story.at[name] for name in CAPS if name in told.story.at), default=None)


def _signal(told: Told) -> int | None:
    """The number of the signal that ended the agent: written as a number, `KILL` or `SIGKILL`."""
    value = told.facts.get("exit_signal", told.facts.get("agent_signal", told.story.facts.get("exit_signal")))
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 < value < 65 else None
    name = f"SIG{str(value).upper().removeprefix('SIG')}"
    return int(signal.Signals[name]) if isinstance(value, str) and name in signal.Signals.__members__ else None


def enforced(told: Told) -> dict[str, str]:
    """Limits as enforced: seconds of the agent's wall clock, megabytes of memory guaranteed and at which it is killed."""
    limits, container = told.table("limits"), told.table("container")
    found = {name: shown(ms) for key, name in LIMITS if (ms := _ms(limits.get(key))) is not None}
    cap = told.number("wall_cap_s")
    if cap is not None:
        found.setdefault("wall_s", shown(cap))
    for table, key, name in (
        (container, "limit_mb", "memory_mb"),
        (container, "request_mb", "memory_guaranteed_mb"),
        (limits, "memory_mb", "memory_mb"),
        (limits, "mem_mb", "memory_mb"),
    ):
        if isinstance(table.get(key), int):
            found.setdefault(name, str(table[key]))
    return found
