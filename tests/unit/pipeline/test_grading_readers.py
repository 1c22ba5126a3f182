"""Readers of a grading: one that breaks says so, and what the others said stays."""

from __future__ import annotations

import pytest

from denominator.pipeline.grading import heard
from denominator.records.events import Json


def broken() -> dict[str, Json]:
    raise RecursionError("too deep")


def full() -> dict[str, Json]:
    raise OSError(28, "no space")


def test_one_that_breaks_costs_nothing_but_its_own_words() -> None:
    said = heard(
        lambda: {"runner": "unittest", "runner_ending": "passed"}, broken, lambda: {"tests_written_by_agent": False}
    )
    assert said["runner_ending"] == "passed"
    assert said["tests_written_by_agent"] is False
    assert "RecursionError" in str(said["runner_why"])


def test_a_machine_that_fails_is_not_swallowed() -> None:
    with pytest.raises(OSError, match="no space"):
        heard(full)
