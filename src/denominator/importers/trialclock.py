"""Times of one trial on one scale: its phases, and when each verdict file was written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from denominator.importers.stamps import wall_ms
from denominator.importers.values import BadValueError

DAY = 86_400_000
CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d):([0-5]\d)(?:[.,](\d{1,3}))?Z?\Z")
AGENT = re.compile(r"agent|solve|rollout")
VERIFY = re.compile(r"verif|grad|test|eval|scor")
START = re.compile(r"start|begin|began")
END = re.compile(r"end|finish|stop|done|complete")
Point = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Phases:
    """Milliseconds by (agent or verify, start or end). `clock`: times of day without a date; the first one is `first`."""

    at: Mapping[Point, int] = field(default_factory=dict)
    clock: bool = False
    wrapped: bool = False

    def of(self, phase: str, point: str) -> int | None:
        """When a phase began or ended, if known."""
        return self.at.get((phase, point))

    def moment(self, value: object) -> int | None:
        """A time on the scale of the phases; None when it is none, or of another kind than they are."""
        found = moment(value)
        if found is None or found[1] != self.clock or not self.at:
            return None
        at = found[0]
        return at + DAY if self.wrapped and at < min(self.at.values()) - DAY // 2 else at


def moment(value: object) -> tuple[int, bool] | None:
    """(milliseconds, is it a time of day) of a text or a number; None when it is no time."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str) and (found := CLOCK.match(value.strip())):
        hours, minutes, seconds, rest = found.groups()
        whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
        return whole * 1000 + int((rest or "0").ljust(3, "0")), True
    try:
        return wall_ms(value), False
    except (BadValueError, OverflowError):
        return None


def phases_of(document: Mapping[str, object]) -> Phases:
    """The phases that a document tells: flat (`agent_end`), nested (`agent: {end}`), or a list of phases.

    Empty when it tells no beginning of a verifier's phase, or mixes dates with times of day.
    """
    found: dict[Point, tuple[int, bool]] = {}
    for name, value in _flat(document):
        phase = "agent" if AGENT.search(name) else "verify" if VERIFY.search(name) else ""
        point = "start" if START.search(name) else "end" if END.search(name) else ""
        if phase and point and (at := moment(value)) is not None:
            found.setdefault((phase, point), at)
    kinds = {clock for _, clock in found.values()}
    if ("verify", "start") not in found or len(kinds) != 1:
        return Phases()
    return _in_order({point: at for point, (at, _) in found.items()}, kinds.pop())


def _in_order(times: dict[Point, int], clock: bool) -> Phases:
    """Times of day that run past midnight go on counting."""
    order = [p for p in (("agent", "start"), ("agent", "end"), ("verify", "start"), ("verify", "end")) if p in times]
    wrapped = False
    for before, after in pairwise(order):
        if clock and times[after] < times[before] - DAY // 2:
            wrapped = True
            times[after] += DAY
        elif clock and wrapped and times[after] < times[before]:
            times[after] += DAY
    return Phases(times, clock, wrapped)


def _flat(document: Mapping[str, object]) -> Iterable[tuple[str, object]]:
    for key, value in document.items():
        if isinstance(value, dict):
            yield from ((f"{key}_{inner}".lower(), found) for inner, found in value.items())
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, dict):
                    name = str(item.get("phase", item.get("name", "")))
                    yield from ((f"{name}_{inner}".lower(), found) for inner, found in item.items())
        else:
            yield key.lower(), value
