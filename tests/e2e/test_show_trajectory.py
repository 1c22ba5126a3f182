"""`show --trajectory` of a run whose agent has no preset: it says so, and asks nothing of the journal that is not there."""

from __future__ import annotations

import json

from e2e.cli_lab import process


def test_an_agent_without_a_preset_has_no_trajectory(lab):
    said = process(lab, "show", "count-words", "--run", "window-oracle", "--trajectory")
    assert said.code == 0
    assert "no trajectory: the agent has no preset" in said.out
    found = json.loads(process(lab, "show", "count-words", "--run", "window-oracle", "--trajectory", "--json").out)
    assert [one["atif"] for one in found["trajectories"]] == [None]


def test_a_task_that_is_not_in_the_run_is_refused_with_those_that_are(lab):
    said = process(lab, "show", "count-wrods", "--run", "window-oracle", "--trajectory")
    assert said.code == 2
    assert "count-words" in said.err
