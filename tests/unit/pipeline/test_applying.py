"""What has the name of the applied tree is held against the patch before anything is done about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from denominator.pipeline.applying import Effect, found_step
from denominator.records.keys import AttemptKey
from denominator.records.trees import Patch
from denominator.run.decisions import Apply
from denominator.run.progress import Progress
from denominator.wire.trees import read_tree

STATE = Progress(key=AttemptKey("r", "t", 1, 1), incarnation=1)


@pytest.fixture
def effect(tmp_path: Path) -> Effect:
    made = tmp_path / "made"
    made.mkdir()
    (made / "a.py").write_text("x = 1\n")
    tree = read_tree(made, trusted=True).digest
    return Effect(
        made, Patch(base_tree=tree, final_tree=tree, changes=()), lambda change: True, tmp_path / "applied", tree
    )


def test_nothing_there_is_applied_and_the_same_tree_adopted(effect: Effect) -> None:
    assert found_step(effect, STATE) == (Apply.APPLY, None)
    effect.place.mkdir()
    (effect.place / "a.py").write_text("x = 1\n")
    assert found_step(effect, STATE) == (Apply.ADOPT, effect.expected)


@pytest.mark.parametrize("what", ["file", "link", "broken link", "empty folder"])
def test_whatever_else_has_the_name_is_an_unknown_state(effect: Effect, what: str) -> None:
    match what:
        case "file":
            effect.place.write_text("notes of a person\n")
        case "link":
            effect.place.symlink_to(effect.base)  # the right tree, and not ours: it may change under the grader
        case "broken link":
            effect.place.symlink_to("nowhere")
        case _:
            effect.place.mkdir()
    step, found = found_step(effect, STATE)
    assert step is Apply.UNKNOWN and found
