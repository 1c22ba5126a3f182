"""slow: the answer of the model comes in drips, or a foreign command stands still for a while. It interrupts nothing.

Reported apart: a runner that ends differently because something took longer has a limit in a place that was not declared.
"""

from __future__ import annotations

from denominator.faultbench.kinds import COMMAND, Held, Kind, Setting
from denominator.faultbench.provider import why_no_call
from denominator.records.faults import Fault, FaultKind

DRIP_MS = 20
PAUSE_MS = 500


def _act(held: Held, value: str) -> None:
    held.pause(int(value) if value else PAUSE_MS)


def _why_not(setting: Setting, fault: Fault) -> str:
    if fault.value and not fault.value.isdigit():
        return f"{fault.value!r} is no whole number of milliseconds"
    return "" if setting.subject == COMMAND else why_no_call(setting, fault)


SLOW = Kind(
    kind=FaultKind.SLOW,
    made="the gateway lets a stream drip; a foreign command is paused",
    act=_act,
    why_not=_why_not,
    gateway="slow_drip",
)
