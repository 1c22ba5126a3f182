"""Looking at a comparison before its end: an e-process over discordant tasks, which may be looked at at any time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from denominator.records.judgements import SCORED, JudgedDraw, Sheet
from denominator.stats import e_min_discordant, e_value


@dataclass(frozen=True, slots=True, kw_only=True)
class SoFar:
    """What both arms have finished, task by task: `wins` of the first arm, `losses`, equal ones, undecided ones.

    `e` is E = 2^(w+l) B(w+1, l+1) over the discordant tasks; at `needed` = 1/alpha a difference is established at any
    look (STATISTICS 3.5). `least` is how many discordant tasks that takes when all go one way.
    """

    declared: int
    finished: int
    wins: int
    losses: int
    equal: int
    undecided: int
    e: Fraction
    needed: Fraction
    least: int

    @property
    def established(self) -> bool:
        """Has the evidence reached 1/alpha?"""
        return self.e >= self.needed


def so_far(a: Sheet, b: Sheet, alpha: Fraction) -> SoFar:
    """The tasks that every repeat of both arms has finished. A task with a draw without a verdict decides nothing."""
    first, second = _by_task(a), _by_task(b)
    both = sorted(first.keys() & second.keys())
    done = [task for task in both if _closed(first[task]) and _closed(second[task])]
    signs = [_sign(first[task], second[task]) for task in done]
    wins, losses = signs.count(1), signs.count(-1)
    return SoFar(
        declared=len(first.keys() | second.keys()),
        finished=len(done),
        wins=wins,
        losses=losses,
        equal=signs.count(0),
        undecided=signs.count(None),
        e=e_value(wins, losses),
        needed=1 / alpha,
        least=e_min_discordant(alpha),
    )


def _by_task(sheet: Sheet) -> Mapping[str, list[JudgedDraw]]:
    found: dict[str, list[JudgedDraw]] = {}
    for draw in sheet.of_slice("solvable"):
        found.setdefault(draw.draw.task_id, []).append(draw)
    return found


def _closed(draws: Iterable[JudgedDraw]) -> bool:
    return all(draw.row is not None and draw.row.closed for draw in draws)


def _sign(a: list[JudgedDraw], b: list[JudgedDraw]) -> int | None:
    """Who passed more often, 0 for nobody; None where the repeats are not the same or a draw has no verdict."""
    if len(a) != len(b) or any(draw.exit not in SCORED for draw in (*a, *b)):
        return None
    more = sum(draw.exit == "pass" for draw in a) - sum(draw.exit == "pass" for draw in b)
    return (more > 0) - (more < 0)
