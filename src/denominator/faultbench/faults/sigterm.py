"""sigterm: SIGTERM while the runner stands at its point: what a service manager, a container and a batch system send first.

A runner may end in order, and says with its exit code that something is left to do.
"""

from __future__ import annotations

from denominator.faultbench.kinds import Held, Kind
from denominator.records.faults import FaultKind


def _act(held: Held, _value: str) -> None:
    held.ask_to_end()


SIGTERM = Kind(kind=FaultKind.SIGTERM, made="SIGTERM at the point", act=_act)
