"""What the run control of the gold patches says of a baseline."""

from __future__ import annotations

import pytest

from denominator.pipeline.controls import gold_state
from denominator.records.packs import Baseline, BaselineRun


def baseline(gold: dict[str, str], **lists: tuple[str, ...]) -> Baseline:
    runs = [
        BaselineRun(task_id=task, on="gold", repeat=n, grade=grade, detail="the kit is gone" if grade == "none" else "")
        for task, grades in gold.items()
        for n, grade in enumerate(grades.split(), 1)
    ]
    return Baseline(pack_digest="", box_digest="", concurrency=1, repeats=3, taken_at="", runs=tuple(runs), **lists)


@pytest.mark.parametrize(
    ("gold", "lists", "state", "tasks", "word"),
    [
        ({"a": "green green", "b": "green green"}, {}, "held", [], "4 of 4 times"),
        ({"a": "green green", "b": "red red"}, {"wrong": ("b",)}, "violated", ["b"], "gold was not green on b"),
        ({"a": "green", "b": "red"}, {"expired": ("b",)}, "violated", ["b"], "pack_expired: gold was green at the lock"),
        ({"a": "green", "b": "tampered"}, {"wrong": ("b",)}, "violated", ["b"], "b"),
        ({"a": "green", "b": "none none"}, {"ungraded": ("b",)}, "inconclusive", ["b"], "no verdict on gold of b: the kit is gone"),
        ({"a": "none", "b": "red"}, {"ungraded": ("a",), "wrong": ("b",)}, "violated", ["b"], "b"),
        ({"a": "green", "b": "green red"}, {"flaky": ("b",)}, "held", [], "1 of 1 times in the baseline; not counted, both results seen: b"),
        ({"b": "green red"}, {"flaky": ("b",)}, "inconclusive", [], "no gold patch with one result"),
        ({}, {}, "inconclusive", [], "no gold patch"),
    ],
)  # fmt: skip
def test_the_state_and_why(
    gold: dict[str, str], lists: dict[str, tuple[str, ...]], state: str, tasks: list[str], word: str
) -> None:
    found, why, ids = gold_state(baseline(gold, **lists))
    assert (found, ids) == (state, tasks) and word in why
