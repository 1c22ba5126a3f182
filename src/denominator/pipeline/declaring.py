"""Which draws a ledger file was to hold: the plan of the seal beside it, or `declared.json` beside the terms of an import."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, islice, repeat
from operator import eq, itemgetter
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.ledger.slots import Declarations, Place, Stated, stated, stated_by_task
from denominator.records.declarations import Declaration, DeclaredTasks
from denominator.records.names import raw_of, raws_of
from denominator.records.rows import Count, Declared, Defect
from denominator.records.seals import Seal
from denominator.records.values import NotMeasured
from denominator.wire.bounded import read_bytes
from denominator.wire.codec import from_json, loads

DECLARED = "declared.json"
DECLARED_BYTES = 1 << 28
MOST_REPEATS = 1_000_000
NOBODY = NotMeasured("nobody stated which draws were declared")
BY_NUMBER = NotMeasured("only a number was declared")


@dataclass(frozen=True, slots=True)
class Promised:
    """The declared draws, task by task in order; none where only a number, or nothing, was declared."""

    run_id: str
    declared_n: Count
    tasks: Stated | None
    unlisted: NotMeasured = BY_NUMBER
    shape: str = ""
    defects: tuple[Defect, ...] = ()


def promised_by(seal: Seal, run_id: str) -> Promised:
    """The plan of a seal."""
    return Promised(run_id, len(seal.plan.draws), of_plan(seal.plan.draws))


def of_plan(draws: Iterable[Declared]) -> Stated:
    """The tasks of a plan in order, each with its draws."""
    tasks = groupby(sorted(draws, key=lambda one: one.draw), key=lambda one: one.draw.task_id)
    return stated_by_task((raw_of(task), list(map(_place, found))) for task, found in tasks)


def _place(one: Declared) -> Place:
    return one.draw.repeat, one.slice, one.control, one.stratum


def declared_beside(folder: Path) -> Promised:
    """What `declared.json` states; without it nothing is known of what was declared."""
    path = folder / DECLARED
    if not path.is_file():
        return Promised("", NOBODY, None, NOBODY)
    found = from_json(Declaration, loads(read_bytes(path, DECLARED_BYTES), str(path)), str(path))
    _check(found, str(path))
    return promised_of(found)


def promised_of(found: Declaration) -> Promised:
    """A declaration, ready for judging."""
    tasks = _of_blocks(found.tasks) if found.tasks else None
    return Promised(found.run_id, found.declared_n, tasks, unlisted_of(found), found.shape, found.defects)


def unlisted_of(found: Declaration) -> NotMeasured:
    """Why there are no ids, where there are none."""
    return found.declared_n if isinstance(found.declared_n, NotMeasured) else BY_NUMBER


def _check(found: Declaration, where: str) -> None:
    wrong = [at for at, one in enumerate(found.tasks) if not 0 < one.repeats <= MOST_REPEATS]
    if wrong:
        problems = [Problem(f"{where} tasks[{at}].repeats", f"is no number from 1 to {MOST_REPEATS}") for at in wrong]
        raise InputError("the declared draws cannot be counted", where=where, problems=problems)


def _of_blocks(blocks: Sequence[DeclaredTasks]) -> Stated:
    """Tasks in order with their draws; the draws of a block are listed once for all of its tasks."""
    places = [[(number, one.slice, one.control, one.stratum) for number in range(1, one.repeats + 1)] for one in blocks]
    names = sorted(chain.from_iterable(one.tasks for one in blocks))
    if any(map(eq, names, islice(names, 1, None))):
        return stated_by_task(_several_blocks(blocks, places))
    largest = max(range(len(blocks)), key=lambda at: len(blocks[at].tasks))
    others = {task: at for at, one in enumerate(blocks) if at != largest for task in one.tasks}
    return stated(raws_of(names), map(others.get, names, repeat(largest)), places)


def _several_blocks(blocks: Sequence[DeclaredTasks], places: Sequence[Sequence[Place]]) -> Declarations:
    """The same where a task stands in several blocks, or twice in one."""
    pairs = sorted((task, at) for at, one in enumerate(blocks) for task in one.tasks)
    for task, found in groupby(pairs, key=itemgetter(0)):
        draws = [place for _, at in found for place in places[at]]
        yield raw_of(task), sorted(draws, key=itemgetter(0))
