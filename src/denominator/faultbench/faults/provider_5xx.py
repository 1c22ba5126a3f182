"""provider_5xx: the provider fails a call.

An agent may give up at once; the attempt is then nobody's fail, and the policy says whether there is another.
"""

from __future__ import annotations

from denominator.faultbench.kinds import Held, Kind
from denominator.faultbench.provider import why_no_call
from denominator.records.faults import FaultKind


def _act(held: Held, _value: str) -> None:
    held.go_on()


PROVIDER_5XX = Kind(
    kind=FaultKind.PROVIDER_5XX,
    made="the gateway answers 500 in the provider's place",
    act=_act,
    why_not=why_no_call,
    gateway="server_error",
)
