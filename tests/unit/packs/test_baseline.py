"""What agent-off gradings say of a task: evidence only."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.packs import load_pack
from denominator.packs.baseline import Verdicts, judge_baseline
from denominator.records.packs import Baseline, BaselineRun, Task
from unit.packs.making import make_pack

GRADES = ("green", "red", "tampered", "none")


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return load_pack(make_pack(tmp_path / "tiny")).pack.tasks[0]


def runs(**trees: str) -> tuple[BaselineRun, ...]:
    return tuple(
        BaselineRun(task_id="sums", on=on, repeat=number, grade=grade)
        for on, grades in trees.items()
        for number, grade in enumerate(grades.split(), 1)
    )


def locked(grades: str) -> Baseline:
    return Baseline(
        pack_digest="d",
        box_digest="b",
        concurrency=1,
        repeats=3,
        taken_at="",
        runs=runs(base="red red red", gold=grades),
    )


@pytest.mark.parametrize(
    ("base", "gold", "at_lock", "word"),
    [
        ("red red red", "green green green", "", ""),
        ("red red red", "green red green", "", "flaky"),
        ("red green red", "green green green", "", "flaky"),
        ("red tampered red", "green green green", "", "wrong"),
        ("green tampered", "green green", "", "flaky"),
        # One result each on two trees is no flake.
        ("red red red", "red red red", "", "wrong"),
        ("green green green", "green green green", "", "wrong"),
        # A missing verdict is no result.
        ("red none red", "green green green", "", "ungraded"),
        ("red red red", "green none green", "", "ungraded"),
        ("none none none", "none none none", "", "ungraded"),
        ("red none green", "green green green", "", "flaky"),
        ("", "green green green", "", "ungraded"),
        # Red now, and what it was at the lock.
        ("red red red", "red red red", "green green green", "expired"),
        ("red red red", "red none red", "green green green", "expired"),
        ("red red red", "red red red", "red red red", "wrong"),
        ("red red red", "red red red", "green red green", "wrong"),
        ("red red red", "green red red", "green green green", "flaky"),
        ("red red red", "none none none", "green green green", "ungraded"),
        ("red red red", "green green green", "green green green", ""),
    ],
)
def test_each_task_is_in_one_list_at_most(task: Task, base: str, gold: str, at_lock: str, word: str) -> None:
    said = judge_baseline([task], runs(base=base, gold=gold), locked(at_lock) if at_lock else None)
    assert said == Verdicts(**({word: ("sums",)} if word else {}))


def test_the_order_of_gradings_changes_nothing(task: Task) -> None:
    three = runs(base="red none green")
    assert {judge_baseline([task], order) for order in permutations(three)} == {Verdicts(flaky=("sums",))}


@given(st.lists(st.sampled_from(GRADES), max_size=6), st.lists(st.sampled_from(GRADES), max_size=6))
def test_flaky_needs_both_results_on_one_tree(base: list[str], gold: list[str]) -> None:
    from denominator.records.packs import Verify

    task = Task(
        id="sums", title="t", slice="solvable", expected="pass", reason="r", license="MIT", allowed=("*",),
        verify=Verify(runner="unittest", timeout_s=1, level="G2"),
    )  # fmt: skip
    said = judge_baseline([task], runs(base=" ".join(base), gold=" ".join(gold)))
    both = any("green" in tree and {"red", "tampered"} & set(tree) for tree in (base, gold))
    assert bool(said.flaky) == both
    assert sum(bool(ids) for ids in (said.flaky, said.expired, said.wrong, said.ungraded)) <= 1
