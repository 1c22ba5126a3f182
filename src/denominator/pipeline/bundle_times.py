"""The times of a bundle: self-declared, all of them, and yet they must be times, and a seal comes before its run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from denominator.bundles.layout import EVENTS, SEAL
from denominator.records.bundles import Fault
from denominator.records.events import Event
from denominator.records.seals import Seal
from denominator.wire.times import read_time

UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z", re.ASCII)


def utc(text: str) -> datetime | None:
    """A time as we write it, in UTC; None of any other text."""
    return read_time(text) if UTC.fullmatch(text) else None


def time_faults(seal: Seal, events: Sequence[Event]) -> Iterator[Fault]:
    """A seal or an event whose time is none, or stands in another zone; of events the first one."""
    if utc(seal.sealed_at) is None:
        yield Fault(kind="seal", where=SEAL, what=f"its time is no UTC time: {seal.sealed_at!r:.60}")
    odd = next((one for one in events if utc(one.t_wall) is None), None)
    if odd is not None:
        yield Fault(kind="chain", where=EVENTS, what=f"the time of event {odd.seq} is no UTC time: {odd.t_wall!r:.60}")


def late_seal(seal: Seal, events: Sequence[Event]) -> Iterator[str]:
    """A seal that says it is younger than the run: no fault, for a clock can be set back, and nothing to keep quiet about."""
    sealed, first = utc(seal.sealed_at), utc(events[0].t_wall) if events else None
    if sealed and first and first < sealed:
        yield f"the first event is of {events[0].t_wall}, before the seal: by these clocks nothing was fixed before the run"
