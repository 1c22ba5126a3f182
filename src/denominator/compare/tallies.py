"""Passes per task out of repeats, as the tests of two arms take them; what was not seen stays apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from denominator.records.judgements import NEVER_STARTED, UNKNOWN, JudgedDraw, Sheet
from denominator.records.values import NotMeasured

MARKS = {"pass": "P", "fail": "F", "abstain": "A", "unscoreable": "U", UNKNOWN: "U", NEVER_STARTED: "-"}
SEEN = ("pass", "fail", "abstain")


@dataclass(frozen=True, slots=True)
class Tally:
    """One task of the solvable slice: passes, draws that came to a verdict or not, and a mark for each repeat."""

    task_id: str
    passes: int
    draws: int
    unseen: int
    marks: str


def tallies(sheet: Sheet) -> tuple[Tally, ...]:
    """Every declared task of the solvable slice that has a name, sorted."""
    per_task: dict[str, list[JudgedDraw]] = {}
    for draw in sheet.of_slice("solvable"):
        per_task.setdefault(draw.draw.task_id, []).append(draw)
    return tuple(_tally(task, found) for task, found in sorted(per_task.items()))


def _tally(task: str, draws: list[JudgedDraw]) -> Tally:
    ordered = sorted(draws, key=lambda draw: draw.draw.repeat)
    return Tally(
        task_id=task,
        passes=sum(draw.exit == "pass" for draw in ordered),
        draws=len(ordered),
        unseen=sum(draw.exit not in SEEN for draw in ordered),
        marks="".join(MARKS[draw.exit] for draw in ordered),
    )


def repeats_of(found: Iterable[Tally], unnamed: int) -> int | NotMeasured:
    """The number of repeats, where every task has as many."""
    sizes = sorted({one.draws for one in found})
    if unnamed:
        return NotMeasured(f"{unnamed} declared draws have no row, and nobody knows of which tasks they are")
    if not sizes:
        return NotMeasured("no solvable draw was declared")
    if len(sizes) > 1:
        return NotMeasured(f"ragged: tasks have {', '.join(map(str, sizes[:-1]))} or {sizes[-1]} repeats")
    return sizes[0]
