"""What a source says it makes of the several draws of a task (mean, max, at_least_2, pass_at_5), held against just that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from denominator.pipeline.audit_counts import ONE_DRAW_EACH, Counted, Summed
from denominator.records.audits import AuditedCount
from denominator.records.foreign import Published
from denominator.stats import prints_as

AT_K = re.compile(r"pass@([0-9]{1,4})(?![0-9])")
OF_ONE = frozenset(("mean", "median", "mode", "max", "min", "at_least_1", "pass_at_1"))
"""Words that all mean the one draw of a task, where it has one."""
OF_DRAWS = frozenset(("", "mean", "pass_at_1"))
"""Words by which a rate over draws can be called."""


def reducer_of(one: Published) -> str:
    """What is made of the draws of a task, where the source says so, if only by the name of its number."""
    found = AT_K.search(one.metric)
    return one.reducer.strip() or (f"pass_at_{int(found[1])}" if found else "")


def of_tasks(one: Published, counted: Counted) -> bool:
    """Can it be of tasks with several draws?"""
    return counted.by_task is not ONE_DRAW_EACH and (one.unit_of != "draws" or reducer_of(one) not in OF_DRAWS)


def unmade(one: Published, counted: Counted) -> str:
    """Why what the source makes of the draws of a task cannot be made of these rows; "" where it can, or nothing is said."""
    reducer, single = reducer_of(one), counted.by_task is ONE_DRAW_EACH
    if not reducer or not isinstance(counted.passes, int) or (single and reducer in OF_ONE):
        return ""
    if sums_of(one, counted) or not (single or of_tasks(one, counted)):
        return ""
    return f"it is {reducer!r} of each task's draws, which cannot be made of these rows"


def sums_of(one: Published, counted: Counted) -> tuple[Summed, ...]:
    """What the rows give for that; where the source says nothing, everything that it can mean."""
    reducer = reducer_of(one)
    sums = counted.by_task.sums
    return tuple(each for each in sums if (reducer in each.reducers if reducer else not each.asked))


def made_whole(sums: Iterable[Summed]) -> str:
    """Those that are counts of tasks."""
    return "; ".join(f"{each.name}: {each.total}" for each in sums if each.total.denominator == 1)


def by_chance(
    one: Published, percent: str, sums: Sequence[Summed], over: Iterable[AuditedCount], counted: Counted
) -> str:
    """Another number of the rows that prints as the one that the source says it made, and is not it."""
    if not reducer_of(one):
        return ""
    others = [each for each in counted.by_task.sums if not each.asked and each not in sums]
    sizes = [each.n for each in over if isinstance(each.n, int)]
    found = [f"{other.name}, over {n}" for other in others for n in sizes if prints(percent, other, n)]
    return f"; {found[0]}, prints so too, and is another number" if found else ""


def prints(percent: str, made: Summed, n: int) -> bool:
    """Does it print so over n tasks, at the digits that are printed?"""
    return n > 0 and made.total <= n and prints_as(percent, made.total / n)
