"""stream_cut: an answer breaks off after its status was 200.

It was paid for and is not whole: half an answer taken for a whole one is the damage.
"""

from __future__ import annotations

from denominator.faultbench.kinds import Held, Kind
from denominator.faultbench.provider import why_no_call
from denominator.records.faults import FaultKind


def _act(held: Held, _value: str) -> None:
    held.go_on()


STREAM_CUT = Kind(
    kind=FaultKind.STREAM_CUT,
    made="the gateway cuts the provider's stream after one event",
    act=_act,
    why_not=why_no_call,
    gateway="cut_stream",
)
