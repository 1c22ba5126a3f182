"""Where a run stands, from all its events: for journals that are no tables, and to hold the quick answer against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from denominator.records.events import Event
from denominator.records.standing import Standing


def standing_of(events: Iterable[Event]) -> Standing:
    """The standing that these events, in order, amount to."""
    every = tuple(events)
    promised = {event.key: event for event in every if event.key is not None and event.kind == "promised"}
    ended = {event.key for event in every if event.kind == "closed"}
    return Standing(
        newest=every[-1].seq if every else 0,
        promised=tuple(promised),
        ended=Counter(str(one.payload.get("purpose", "")) for key, one in promised.items() if key in ended),
        open=tuple(event for event in every if event.key in promised and event.key not in ended),
        of_run=tuple(event for event in every if event.key is None),
    )
