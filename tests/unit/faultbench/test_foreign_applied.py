"""Effects of a foreign journal by workspace: a tree made anew elsewhere, or after a declared reset, is no double apply."""

from __future__ import annotations

import pytest

from denominator.faultbench.foreign_files import JournalLine, Parts
from denominator.faultbench.foreign_rows import DEFAULT, points_of
from denominator.faultbench.foreign_trials import Group
from denominator.records.faults import Trial
from denominator.records.trials import doubled

A, B = "a" * 64, "b" * 64


def trial(*rows: dict[str, object]) -> Trial:
    lines = [
        JournalLine(f"j.jsonl:{n}", 0, f"{n}", {"task_id": "t", "checkpoint": "patch_applied", "ts": n, **row})
        for n, row in enumerate(rows)
    ]
    parts = Parts()
    parts.rows += lines
    points = points_of(parts, DEFAULT)
    assert not parts.problems
    return Trial(bench_id="", task_id="t", applied=Group("t", 1, points, DEFAULT).applied())


@pytest.mark.parametrize(
    ("rows", "twice"),
    [
        (({"digest": A}, {"digest": B}), True),
        (({"digest": A}, {"digest": A}), False),
        (({"digest": A, "epoch": 1}, {"digest": B, "epoch": 2}), True),
        (({"digest": A, "epoch": 1}, {"digest": B, "epoch": 2, "reset": True}), False),
        (({"digest": A, "epoch": 1}, {"digest": B, "epoch": 2, "reset": False}), True),
        (({"digest": A, "epoch": 1}, {"digest": B, "epoch": 1, "reset": True}), True),
        (({"digest": A, "epoch": 1, "reset": True}, {"digest": B, "epoch": 2}), True),
        (({"digest": A, "place": "host-1"}, {"digest": B, "place": "host-2"}), False),
        (({"digest": A, "place": "host-1"}, {"digest": B, "place": "host-2"}, {"digest": A, "place": "host-2"}), True),
        (
            (
                {"digest": A, "epoch": 1},
                {"digest": A, "checkpoint": "context_loaded", "epoch": 2, "reset": "run folder"},
                {"digest": B, "epoch": 3},
            ),
            False,
        ),
        (({"digest": A, "epoch": 1}, {"digest": B, "epoch": 2, "reset": True, "attempt": 2}), False),
    ],
)
def test_two_effects_are_one_too_many_only_in_one_workspace(rows, twice):
    assert doubled(trial(*rows)) is twice
    assert doubled(trial(*reversed(rows))) is twice, "the order of rows does not matter"
