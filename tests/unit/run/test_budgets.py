"""The clock of an agent phase: without a model the shorter budget cuts, with one the wall alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.run.budgets import agent_limits, working_s
from unit.compare.arms import ENVELOPE


@pytest.mark.parametrize(("wall", "working"), [(100, 50), (50, 100)])
def test_who_can_be_paused_has_the_whole_wall(wall: int, working: int) -> None:
    envelope = replace(ENVELOPE, budget=replace(ENVELOPE.budget, wall_s=wall, working_s=working))
    assert agent_limits(envelope).wall_s == min(wall, working)
    assert agent_limits(envelope, pausable=True).wall_s == wall
    assert working_s(envelope) == working
