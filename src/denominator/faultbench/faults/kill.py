"""kill: SIGKILL to the whole process group while the runner stands at its point.

Nothing of the runner can act on it: no handler, no `finally`, no flush. What is lost is what was not durable.
"""

from __future__ import annotations

from denominator.faultbench.kinds import Held, Kind
from denominator.records.faults import FaultKind


def _act(held: Held, _value: str) -> None:
    held.kill()


KILL = Kind(kind=FaultKind.KILL, made="SIGKILL to the process group at the point", act=_act)
