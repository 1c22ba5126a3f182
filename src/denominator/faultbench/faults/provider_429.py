"""provider_429: the provider turns a call away. Nothing is sent, so nothing is spent by it.

What has to follow is declared: a retry under the policy, as a new attempt or at the wire, never a fail of the agent.
"""

from __future__ import annotations

from denominator.faultbench.kinds import Held, Kind
from denominator.faultbench.provider import why_no_call
from denominator.records.faults import FaultKind


def _act(held: Held, _value: str) -> None:
    held.go_on()


PROVIDER_429 = Kind(
    kind=FaultKind.PROVIDER_429,
    made="the gateway answers 429 in the provider's place",
    act=_act,
    why_not=why_no_call,
    gateway="rate_limit",
)
