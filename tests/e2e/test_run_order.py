"""The order of a window: warm-ups first, a shuffled order that both arms share, arms alternating, seeds by repeat."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from denominator.records.keys import AttemptKey
from e2e import runs

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("run-order"),
]
TASKS = ("clamp-low", "count-words")
CHEAP = {"budget": {"repeats": 2}, "run": {"concurrency": 1, "order_seed": 6, "warmup_tasks": 1, "seeds": [11, 22]}}
SCRIPT = 'echo "$DENOMINATOR_TASK_ID seed ${DENOMINATOR_SEED:-none}"'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two envelopes of one arm each, run as one window."""
    folder = tmp_path_factory.mktemp("order")
    runs.make_pack(folder, *TASKS)
    for name in "AB":
        arm = {"label": name, "agent": "command", "command": ["sh", "-c", SCRIPT]}
        (folder / f"{name}.toml").write_text(runs.envelope([arm], **CHEAP))
    done = runs.cli(folder, "run", "--arms", "A.toml", "B.toml", "--run-id", "w")
    assert done.code == 0, done.err
    return folder


def starts(folder: Path, run_id: str) -> list[tuple[int, AttemptKey]]:
    events = runs.opened(folder, run_id).journal.events()
    return [(e.t_mono_ns, e.key) for e in events if e.kind == "started" and e.key]


def test_both_arms_have_one_order_that_is_not_the_packs(folder: Path) -> None:
    plans = [runs.opened(folder, f"w-{arm}").seal.plan for arm in "AB"]
    assert plans[0].order_digest == plans[1].order_digest
    orders = [[key.draw for _, key in starts(folder, f"w-{arm}") if key.repeat] for arm in "AB"]
    assert orders[0] == orders[1] == [declared.draw for declared in plans[0].draws]
    assert [draw.task_id for draw in orders[0]] != [*TASKS, *TASKS]
    assert [draw.repeat for draw in orders[0]] == [1, 1, 2, 2]


def test_arms_alternate_task_by_task_after_their_warm_ups(folder: Path) -> None:
    both = sorted((at, arm, key) for arm in "AB" for at, key in starts(folder, f"w-{arm}"))
    assert [key.repeat for _, _, key in both[:2]] == [0, 0]
    pairs = list(zip(both[2::2], both[3::2], strict=True))
    assert all(a[2].draw == b[2].draw and {a[1], b[1]} == {"A", "B"} for a, b in pairs)
    assert [a[1] for a, _ in pairs] == ["A", "B", "A", "B"], "the arm that goes first rotates"


def test_each_repeat_gets_its_own_seed_and_a_warm_up_none(folder: Path) -> None:
    said = runs.texts(runs.opened(folder, "w-A"), "stdout")
    seeds = {0: "none", 1: "11", 2: "22"}
    assert {text.strip() for text in said.values()} == {f"{task} seed {seeds[repeat]}" for task, repeat in said}
    assert len(said) == 5


def test_every_draw_has_its_row(folder: Path) -> None:
    rows = runs.rows_of(folder, "w-B")
    assert set(rows) == {(task, repeat, 1) for task in TASKS for repeat in (1, 2)}
    assert {row.stop_reason for row in rows.values()} == {"no_patch"}
    assert [row.cold_start for row in rows.values()].count(True) == 0, "the warm-up was the cold one"


def test_a_scratch_run_promises_only_what_was_asked_for(folder: Path) -> None:
    done = runs.cli(folder, "run", "A.toml", "--only", "count-words", "--run-id", "look", "--runs-dir", "looks")
    assert done.code == 0, done.err
    assert "SCRATCH" in done.out
    (scratch,) = (folder / "looks").iterdir()
    run = runs.open_run(runs.find_run(scratch.name, folder / "looks"), runs.SystemClock(), runs.NoFailpoints())
    assert {e.key.task_id for e in run.journal.events() if e.kind == "promised" and e.key} == {"count-words"}
