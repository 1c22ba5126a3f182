"""A few scenes of what agents leave behind; `make e2e` plays them all."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from denominator.records.rows import PatchFacts
from e2e import runs
from e2e.left_lab import SCENES, TASK, judged, play, spoken_to

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
FEW = {name: SCENES[name] for name in ("t both", "t git's setting", "t a look around", "f escape", "f many")}


def test_a_few_scenes(tmp_path: Path) -> None:
    play(tmp_path, FEW)
    draws = judged(tmp_path, FEW)
    assert [draws[name].exit for name in FEW] == ["fail", "fail", "pass", "pass", "pass"]
    both, git = draws["t both"], draws["t git's setting"]
    assert {*both.tags} >= {"tampered_tests", "tampered_runner"} and both.mix == "SCOPE_SLIP"
    assert git.row is not None and git.row.gave_away == ("startup: .git/config: core.fsmonitor",)
    assert "looked_beyond" in draws["t a look around"].tags
    patches = [draws[name].row.patch for name in ("f escape", "f many")]  # type: ignore[union-attr]
    assert all(isinstance(one, PatchFacts) and one.refused for one in patches)
    shown = runs.cli(tmp_path, "show", TASK, "--run", "a")
    assert "gave it away: runner: add conftest.py" in " ".join(shown.out.split())
    assert not spoken_to(shown.out)
