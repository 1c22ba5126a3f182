"""`look`: what a comparison that is still going on shows, written down beside both runs before it is said."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from denominator.compare.comparable import comparable
from denominator.compare.sequential import SoFar, so_far
from denominator.errors import BlockedError, InputError, NotComparableError, Problem
from denominator.pipeline.looks import looks_of, record_look
from denominator.pipeline.results import Result, judge_run, unpromised
from denominator.pipeline.run import open_promises
from denominator.pipeline.sides import side_of
from denominator.pipeline.world import OpenRun
from denominator.records.replays import Look


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """One look: what was seen, which look it is of how many declared, and whether the runs were still going on."""

    names: tuple[str, str]
    seen: SoFar
    number: int
    declared: int
    going_on: bool


def take_look(a: OpenRun, b: OpenRun, at: str) -> Looked:
    """Look at two runs; `at` is UTC. Raises NotComparableError for runs of different conditions, InputError for one run,
    BlockedError where a control is violated or, once both have ended, where the gate withholds the number of one."""
    if a.folder.root == b.folder.root:
        raise InputError("a run cannot be compared with itself", where=a.run_id, fix="name the run of the other arm")
    first, second = judge_run(a), judge_run(b)
    found = comparable(side_of(a.run_id, first), side_of(b.run_id, second))
    moved = [Problem(one.name, one.what or one.verdict) for one in found.fields if one.blocks]
    if moved or found.only_a or found.only_b:
        other = [Problem("tasks", f"only one arm declares {task}") for task in (*found.only_a, *found.only_b)]
        raise NotComparableError(
            "the two runs are not of one comparison",
            where="look",
            problems=[*moved, *other],
            fix=f"denominator compare {a.run_id} {b.run_id}",
        )
    going_on = any(open_promises(run) or unpromised(run) for run in (a, b))
    _refuse_hidden([(a.run_id, first), (b.run_id, second)], going_on=going_on)
    sealed = a.seal.envelope.comparison
    seen = so_far(first.judged.sheet, second.judged.sheet, Fraction(sealed.alpha))
    look = Look(at=at, runs=(a.run_id, b.run_id), tasks=seen.finished, more_a=seen.wins, more_b=seen.losses)
    if going_on:
        record_look((a, b), look)
    elif stopped := [run.run_id for run, result in ((a, first), (b, second)) if result.judged.verdict.exit]:
        raise BlockedError(
            f"both runs have ended, and {', '.join(stopped)} is blocked", where="look", fix="denominator gate"
        )
    number = sum(set(one.runs) == set(look.runs) for one in looks_of(a))
    return Looked(names=(a.run_id, b.run_id), seen=seen, number=number, declared=sealed.looks, going_on=going_on)


def _refuse_hidden(named: list[tuple[str, Result]], *, going_on: bool) -> None:
    """An open run is blocked by being open; what its gate says of an ended one holds for a look too."""
    hidden = [name for name, result in named if result.judged.split_hidden]
    if hidden:
        raise BlockedError(
            f"a control of {', '.join(hidden)} is violated", where="look", fix=f"denominator gate {hidden[0]}"
        )
    stopped = [name for name, result in named if result.judged.verdict.status == "blocked"]
    if stopped and not going_on:
        what = f"both runs have ended, and the number of {', '.join(stopped)} is withheld"
        raise BlockedError(what, where="look", fix=f"denominator gate {stopped[0]}")
