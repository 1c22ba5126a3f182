"""How often each attempt's patch was applied to one workspace, from a run's events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from denominator.records.events import Event

Workspace = tuple[object, object, int]
"""An attempt, the place that its incarnation works in, and how many resets were declared by then."""


def applications(events: Iterable[Event]) -> Counter[Workspace]:
    """Trees that were made (not adopted), by workspace: more than one of them is a double application."""
    place: dict[object, object] = {}
    resets, found = Counter[object](), Counter[Workspace]()
    for event in events:
        if event.kind == "started":
            place[event.key, event.incarnation] = event.payload.get("place", "")
            resets[event.key] += "reset" in event.payload
        elif event.kind == "applied" and event.payload["by"] == "apply":
            found[event.key, place[event.key, event.incarnation], resets[event.key]] += 1
    return found
