"""A run of ours that is open or in an unknown state keeps its own code, whatever is made of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from denominator.errors import Exit
from denominator.pipeline.comparing import Asked, compare_results
from denominator.pipeline.results import unfinished
from denominator.pipeline.spreading import spread_of
from unit.pipeline.test_replay_pairs import ROWS, result


@pytest.mark.parametrize("code", [Exit.OPEN, Exit.UNKNOWN_STATE])
def test_the_code_of_an_unfinished_side_wins(code: Exit, tmp_path: Path) -> None:
    a = result(tmp_path, "A")
    b = replace(result(tmp_path, "B", rows=[*ROWS[:9], {"task_id": "t9", "passed": False}]), exit=code)
    assert unfinished(a, b) == [int(code)]
    assert compare_results([("A", a), ("B", b)], Asked()).exit == code
    assert spread_of([("A", a), ("B", b)], None, "").exit == code
    assert unfinished(a, replace(b, exit=Exit.BLOCKED)) == []
