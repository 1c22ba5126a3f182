"""oom: memory is taken away while the runner stands at its point, so that the kernel kills it at what it takes next.

In a memory control group of its own (v1 or v2, whichever the machine has). Without one RLIMIT_AS refuses memory, which
nobody is killed for: the runner sees the error.
"""

from __future__ import annotations

from denominator.faultbench.kinds import Held, Kind, Setting
from denominator.records.faults import Fault, FaultKind


def _act(held: Held, _value: str) -> None:
    held.squeeze_memory()


def _why_not(setting: Setting, _fault: Fault) -> str:
    return setting.memory


OOM = Kind(
    kind=FaultKind.OOM, made="a memory limit at the point (control group, else RLIMIT_AS)", act=_act, why_not=_why_not
)
