"""clock_jump: the wall clock steps while the runner stands at its point. It interrupts nothing; it is reported apart.

Our own runner asks its Clock port, which the bench steps; a foreign command gets a faked time by libfaketime, where that is
installed. A time namespace moves only the clocks that count from the boot, so it makes no step of the wall clock.
"""

from __future__ import annotations

from denominator.faultbench.kinds import Held, Kind, Setting
from denominator.records.faults import Fault, FaultKind

BACK_S = -3600
"""Seconds of a step whose size nobody named: back, because what sorts by wall time is then wrong."""


def _act(held: Held, value: str) -> None:
    held.step_clock(int(value) if value else BACK_S)


def _why_not(setting: Setting, fault: Fault) -> str:
    if fault.value and not fault.value.removeprefix("-").isdigit():
        return f"{fault.value!r} is no whole number of seconds"
    return setting.clock


CLOCK_JUMP = Kind(kind=FaultKind.CLOCK_JUMP, made="the wall clock steps at the point", act=_act, why_not=_why_not)
