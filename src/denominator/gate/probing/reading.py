"""What rules read of a score: good requests, those that say something, those whose promises were all kept."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.records.probe_results import ProbeScore, Scored
from denominator.records.probe_words import INVALID, Cls, Group

DECLARE = "declare it under [use] of probe.toml, as a new probe: this one is sealed"


def good(score: ProbeScore) -> tuple[Scored, ...]:
    """Attempts of requests that are right; malformed controls are counted apart."""
    return tuple(one for one in score.attempts if one.group != Group.MALFORMED)


def controls(score: ProbeScore) -> tuple[Scored, ...]:
    """Attempts of requests that are wrong on purpose."""
    return tuple(one for one in score.attempts if one.group == Group.MALFORMED)


def says_nothing(one: Scored) -> bool:
    """Was nobody asked, or did a quota answer?"""
    return (one.cls, one.reason) in INVALID


def telling(score: ProbeScore) -> tuple[Scored, ...]:
    """Good attempts that say something of the endpoint's promises."""
    return tuple(one for one in good(score) if not says_nothing(one))


def told(score: ProbeScore, attempts: Iterable[Scored]) -> tuple[Scored, ...]:
    """Those of them that may be counted: in a window whose passes are withheld, misses would give the passes away."""
    held = {one.number for one in score.windows if one.withheld}
    return tuple(one for one in attempts if one.window not in held)


def broken(score: ProbeScore) -> tuple[Scored, ...]:
    """Those that may be counted and ended in another class than pass."""
    return tuple(one for one in told(score, telling(score)) if one.cls != Cls.PASS)


def independent_windows(score: ProbeScore) -> int:
    """How many windows lie far enough apart; the first is always one of them."""
    return sum(one.independent or one.number == 1 for one in score.windows)
