"""From which exit in one arm to which in the other: a pass that became INFRA is no failure of the agent."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.compare.paired import by_task
from denominator.compare.standing import place_of
from denominator.records.comparisons import OriginPair, Transition
from denominator.records.judgements import EXITS, JudgedDraw, Sheet

ORDER = {exit_: place for place, exit_ in enumerate(EXITS)}


def transitions(a: Sheet, b: Sheet) -> tuple[Transition, ...]:
    """Repeat k against repeat k of every task, in the order of exits; only draws that both arms declared."""
    of_a, of_b = by_task(a), by_task(b)
    found: dict[tuple[str, str], list[str]] = {}
    for task in sorted(of_a.keys() & of_b.keys()):
        again = {draw.draw: draw for draw in of_b[task]}
        for draw in of_a[task]:
            if draw.draw in again:
                found.setdefault((ending(draw), ending(again[draw.draw])), []).append(place_of(draw))
    listed = sorted(found.items(), key=lambda one: (_rank(one[0][0]), _rank(one[0][1])))
    return tuple(Transition(a=x, b=y, count=len(draws), draws=tuple(draws)) for (x, y), draws in listed)


def ending(draw: JudgedDraw) -> str:
    """The exit, and whose doing it was where it is no verdict on the agent's work."""
    exit_ = draw.exit if draw.exit in ORDER else "unscoreable"
    return f"{exit_} {draw.origin}" if exit_ == "unscoreable" and draw.origin else exit_


def _rank(name: str) -> tuple[int, str]:
    return ORDER[name.split(" ")[0]], name


def origins(a: Sheet, b: Sheet) -> tuple[OriginPair, ...]:
    """How many draws of each arm ended by whose doing."""
    of_a, of_b = _counted(a.of_slice("solvable")), _counted(b.of_slice("solvable"))
    names = sorted(of_a.keys() | of_b.keys())
    return tuple(OriginPair(origin=name, a=of_a.get(name, 0), b=of_b.get(name, 0)) for name in names)


def _counted(draws: Iterable[JudgedDraw]) -> dict[str, int]:
    found: dict[str, int] = {}
    for draw in draws:
        name = draw.origin or ("never started" if draw.row is None else "not decided")
        found[name] = found.get(name, 0) + 1
    return found
