"""A reference patch that its surroundings failed is named with the cause; one that may be wrong itself is not."""

import pytest

from denominator.envelopes.blamed import blamed
from denominator.records.packs import BaselineRun


def run(task: str, detail: str, grade: str = "red", on: str = "gold") -> BaselineRun:
    return BaselineRun(task_id=task, on=on, repeat=1, grade=grade, detail=detail)


@pytest.mark.parametrize(
    ("runs", "found"),
    [
        ([run("a", "sandbox_config: 1 of 2"), run("a", "sandbox_config: 2 of 2")], (("a", "sandbox_config"),)),
        ([run("a", "grader_error: status"), run("b", "1 of 2")], (("a", "grader_error"),)),
        ([run("a", "sandbox_config: x"), run("a", "1 of 2")], ()),
        ([run("a", "sandbox_config: x"), run("a", "grader_error: x")], ()),
        ([run("a", "disk_full: x")], ()),
        ([run("a", "sandbox_config: x", on="base")], ()),
        ([run("a", "sandbox_config: x", grade="none")], ()),
        ([], ()),
    ],
)
def test_who_is_blamed(runs: list[BaselineRun], found: tuple[tuple[str, str], ...]) -> None:
    assert blamed(runs) == found
