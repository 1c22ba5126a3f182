"""What a comparison promises would lift it: draws are added as the line says, and the rung is looked at again."""

from __future__ import annotations

import re
from math import comb
from random import Random
from typing import Any

import pytest

from comparing_data import Marks, arm, fine, split
from denominator.compare.pair import compare_sides
from denominator.records.comparisons import Comparison
from denominator.records.envelopes import Comparison as Sealed
from denominator.records.words import Rung

PLAN = Sealed(primary=("A", "B"))
MIDP = Sealed(primary=("A", "B"), test="midp")
FIVE = Sealed(primary=("A", "B"), family=("A:C", "A:D", "A:E", "A:F"))
LINE = re.compile(
    r"(\d+) more discordant (task|cluster)s?, all in the same direction(?:, each (\d+) of (\d+) passes apart)?"
)


def told(a: Marks, b: Marks, plan: Sealed, family: dict[str, str] | None = None, looks: int = 0) -> Comparison:
    over: dict[str, Any] = {"plan": plan, "family": family or {}}
    return compare_sides(arm("A", a, **over), arm("B", b, **over), fine(), looks=looks)


def drawn(seed: int, tasks: int, repeats: int, unseen: float = 0.0) -> tuple[dict[str, str], dict[str, str]]:
    """Two arms with a small difference, so that most of them are not established."""
    rng, sides = Random(seed), ({}, {})
    for number in range(tasks):
        base = rng.random()
        for side, more in zip(sides, (0.06, -0.06), strict=True):
            marks = ("U" if rng.random() < unseen else "PF"[rng.random() > base + more] for _ in range(repeats))
            side[f"t{number:03}"] = "".join(marks)
    return sides


def added(
    made: Comparison, a: dict[str, str], b: dict[str, str], family: dict[str, str], fewer: int = 0
) -> tuple[dict[str, str], dict[str, str], dict[str, str]] | None:
    """Both arms with the units that the line asks for, less `fewer`; None where no line asks for any."""
    found = next((found for line in made.verdict.lifts if (found := LINE.fullmatch(line))), None)
    if found is None:
        return None
    count, apart, of = int(found[1]) - fewer, int(found[3] or 1), int(found[4] or 1)
    repeats = len(next(iter(a.values())))
    ahead = [sum(marks.count("P") for marks in side.values()) for side in (a, b)]
    a, b, family = dict(a), dict(b), dict(family)
    front, back = (a, b) if ahead[0] >= ahead[1] else (b, a)
    for number in range(count):
        left = apart
        for part in range(of // repeats):
            task, passes = f"z{number:03}-{part}", min(repeats, left)
            front[task], back[task], left = "P" * passes + "F" * (repeats - passes), "F" * repeats, left - passes
            if family:
                family[task] = f"added {number}"
    return a, b, family


CASES = [(seed, tasks, repeats, unseen, clusters, plan)
         for seed, (tasks, repeats, unseen, clusters, plan) in enumerate([
             (20, 1, 0.0, 0, PLAN), (40, 1, 0.05, 0, PLAN), (30, 1, 0.0, 0, MIDP), (30, 1, 0.0, 0, FIVE),
             (20, 5, 0.0, 0, PLAN), (12, 3, 0.03, 0, PLAN), (25, 5, 0.0, 0, FIVE), (16, 2, 0.0, 0, MIDP),
             (24, 1, 0.0, 8, PLAN), (25, 5, 0.02, 7, PLAN)] * 4)]  # fmt: skip


@pytest.mark.parametrize(("seed", "tasks", "repeats", "unseen", "clusters", "plan"), CASES)
def test_tasks_that_differ_lift_it_and_no_fewer_do(
    seed: int, tasks: int, repeats: int, unseen: float, clusters: int, plan: Sealed
) -> None:
    a, b = drawn(seed, tasks, repeats, unseen)
    family = {task: f"f{int(task[1:]) % clusters}" for task in a} if clusters else {}
    made = told(a, b, plan, family)
    more = added(made, a, b, family)
    if more is None:
        assert made.verdict.rung == Rung.TASKS_LIKE_THESE
        return
    assert told(more[0], more[1], plan, more[2]).verdict.rung == Rung.TASKS_LIKE_THESE
    less = added(made, a, b, family, fewer=1)
    assert less is not None and told(less[0], less[1], plan, less[2]).verdict.rung != Rung.TASKS_LIKE_THESE


def test_one_large_loss_is_not_outweighed_by_counting_heads() -> None:
    """Five tasks ahead by one pass of five, one behind by all: eight heads against one would not do."""
    tasks = {f"t{number:02}": ("PPFFF", "PFFFF") for number in range(5)} | {"t05": ("FFFFF", "PPPPP")}
    a = {task: pair[0] for task, pair in tasks.items()} | {f"t{number:02}": "PPPFF" for number in range(6, 12)}
    b = {task: pair[1] for task, pair in tasks.items()} | {f"t{number:02}": "PPPFF" for number in range(6, 12)}
    made = told(a, b, PLAN)
    more = added(made, a, b, {})
    assert more is not None
    assert told(more[0], more[1], PLAN).verdict.rung == Rung.TASKS_LIKE_THESE


def test_declared_looks_are_lifted_by_what_the_e_value_needs() -> None:
    plan = Sealed(primary=("A", "B"), looks=2)
    a, b = split(10, 6, 0, 10)
    made = told(a, b, plan, looks=1)
    assert made.verdict.rung == Rung.DIRECTIONAL
    more = added(made, a, b, {})
    assert more is not None and len(more[0]) == 26 + 2, "8 to 0 is the least that an e-process takes"
    assert told(more[0], more[1], plan, looks=1).verdict.rung == Rung.TASKS_LIKE_THESE


def test_a_question_about_a_margin_is_not_lifted_by_tasks_that_differ() -> None:
    plan = Sealed(primary=("A", "B"), question="equivalent", margin="0.05")
    lifts = told(*split(20, 1, 1, 18), plan).verdict.lifts
    assert lifts == ("more tasks, until the interval is inside the sealed margin",)


def test_what_a_pack_shows_is_at_the_level_of_the_family() -> None:
    a, b = split(20, 9, 1, 20)
    alone, family = (told(a, b, plan) for plan in (PLAN, FIVE))
    one, five = (
        next(float(str(x.value)) for x in made.estimates if x.metric == "detectable_difference")
        for made in (alone, family)
    )
    assert one < five


def test_what_a_pack_shows_is_never_inside_the_narrowest_interval() -> None:
    """One pass of a hundred differs: the interval never gets narrower than a full swing makes it."""
    a = {f"t{number:02}": "PPPFF" for number in range(20)}
    made = told(a, a | {"t00": "PPFFF"}, PLAN)
    found = {x.metric: x for x in made.estimates}
    half = (float(str(found["difference"].hi)) - float(str(found["difference"].lo))) / 2
    assert float(str(found["detectable_difference"].value)) > half


def test_more_tasks_are_enough_for_the_exact_test_too() -> None:
    """Four of twelve differ, all one way: an interval excludes 0 long before six of them are likely to be seen."""
    a = {f"t{number:02}": "PPPPP" if number < 4 else "PPFFF" for number in range(12)}
    made = told(a, a | {f"t{number:02}": "FFFFF" for number in range(4)}, PLAN)
    line = next(one for one in made.verdict.lifts if "more tasks at K = 5" in one)
    tasks = 12 + int(line.split()[0])
    assert sum(comb(tasks, m) * 2 ** (tasks - m) for m in range(6, tasks + 1)) / 3**tasks >= 0.8
