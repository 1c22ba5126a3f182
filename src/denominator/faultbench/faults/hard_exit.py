"""hard_exit: the process leaves at once, without handlers and without flushing what it buffers; its children see that.

Our own runner does it itself (`os._exit`, code 70). Of a foreign command all processes are killed, because nobody can make
a process leave from outside.
"""

from __future__ import annotations

from denominator.faultbench.kinds import COMMAND, Held, Kind, Setting
from denominator.records.faults import Fault, FaultKind


def _act(held: Held, _value: str) -> None:
    held.go_on()


def _why_not(setting: Setting, _fault: Fault) -> str:
    return "a foreign process cannot be made to leave by itself: plan kill" if setting.subject == COMMAND else ""


HARD_EXIT = Kind(
    kind=FaultKind.HARD_EXIT,
    made="the runner leaves with os._exit at the point",
    act=_act,
    why_not=_why_not,
    failpoint="exit",
)
