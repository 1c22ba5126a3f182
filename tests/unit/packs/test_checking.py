"""The bound on a flake rate, and what is said of each task."""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import comb
from pathlib import Path

import pytest

from denominator.packs import load_pack
from denominator.packs.checking import check_tasks, flake_upper
from denominator.records.packs import BaselineRun
from denominator.records.values import NotMeasured
from unit.packs.making import make_pack


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 10, 29, 59, 100, 1000, 10_000])
def test_clean_repeats_allow_exactly_one_minus_the_nth_root(n: int) -> None:
    with localcontext() as context:
        context.prec = 50
        exact = 1 - Decimal("0.05") ** (Decimal(1) / n)
        assert flake_upper(0, n) == str(exact.quantize(Decimal("0.000001")))


@pytest.mark.parametrize(("rare", "n"), [(1, 3), (2, 5), (1, 10), (5, 10), (3, 59)])
def test_after_flips_the_bound_is_where_so_few_become_unlikely(rare: int, n: int) -> None:
    """By definition: at the bound p, P(at most `rare` flips of n) = 5 %."""
    p = float(str(flake_upper(rare, n)))
    assert sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(rare + 1)) == pytest.approx(0.05, abs=1e-4)


def test_without_a_verdict_nothing_is_known() -> None:
    assert isinstance(flake_upper(0, 0), NotMeasured)


def test_a_test_that_flips_under_a_red_tree_is_named_and_the_task_is_not_called_flaky(tmp_path: Path) -> None:
    tasks = load_pack(make_pack(tmp_path / "tiny")).pack.tasks
    runs = [
        BaselineRun(task_id="sums", on="base", repeat=1, grade="red", passed=("b",), failed=("a",)),
        BaselineRun(task_id="sums", on="base", repeat=2, grade="red", failed=("a", "b")),
        BaselineRun(task_id="sums", on="gold", repeat=1, grade="green", passed=("a", "b")),
        BaselineRun(task_id="sums", on="gold", repeat=2, grade="green", passed=("a", "b")),
    ]
    (task,) = check_tasks(tasks, runs)
    assert (task.verdict, [tree.unstable for tree in task.trees]) == ("stable", [("b",), ()])


def test_no_verdict_is_no_clean_repeat(tmp_path: Path) -> None:
    tasks = load_pack(make_pack(tmp_path / "tiny")).pack.tasks
    runs = [
        BaselineRun(
            task_id="sums", on="base", repeat=n, grade=grade, detail="the grader broke" if grade == "none" else ""
        )
        for n, grade in enumerate(("red", "none", "red"), 1)
    ]
    (task,) = check_tasks(tasks, runs)
    assert (task.verdict, task.detail) == ("no_verdict", "base: the grader broke")
    assert (task.trees[0].none, task.trees[0].flake_rate_upper) == (1, flake_upper(0, 2))
