"""The trials of a plan: the same list again, the controls' own trials, and a folder that can be gone on with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.errors import InputError, OpenPromisesError
from denominator.faultbench.files import TRIALS, BenchFolder
from denominator.faultbench.running import BenchEnd, Subject, carry_out, told
from denominator.faultbench.stopping import BenchStoppedError
from denominator.faultbench.trials import Order, choose, name_of, orders
from denominator.ports import Stop
from denominator.records.faults import Bench, BenchBox, BenchRunner, Fault, FaultPlan, Trial

TASKS = tuple(f"task-{number}" for number in range(9))
FAULTS = (Fault(at="patch_drafted", kind="kill"), Fault(at="apply.renamed", kind="kill", nth=2))
PLAN = FaultPlan(name="p", faults=FAULTS, repeats=2)
BENCH = Bench(
    bench_id="b",
    pack_id="p",
    taskset_digest="d",
    task_ids=("a",),
    runner=BenchRunner(name="r", digest="d", command=("r",)),
    box=BenchBox(python="3", os="Linux"),
    plan=PLAN,
)
ALL = ("positive", "negative", "replay", "silent")


@given(st.integers(0, 99), st.booleans())
def test_the_same_plan_and_seed_give_the_same_trials(seed: int, quick: bool) -> None:
    plan = replace(PLAN, seed=seed, quick=quick)
    once = list(orders(plan, choose(TASKS, plan), ALL))
    again = list(orders(plan, choose(tuple(reversed(TASKS)), plan), ALL))
    assert once == again
    assert len({order.name for order in once}) == len(once)
    n = 5 if quick else 9
    assert len(once) == n * 2 * 3 + n + n


def test_another_seed_tries_the_tasks_in_another_order() -> None:
    assert choose(TASKS, PLAN) != choose(TASKS, replace(PLAN, seed=1))


def test_each_fault_is_paired_with_a_trial_without_one() -> None:
    made = [order for order in orders(PLAN, ("a",), ()) if not order.control]
    assert [order.name[1:3] for order in made] == [
        (repeat, text) for repeat in (1, 2) for text in ("", "patch_drafted:kill", "apply.renamed=kill@2")
    ]


class Never:
    def is_set(self) -> bool:
        return False


class Made:
    """A subject that counts; it can fail at its n-th trial."""

    def __init__(self, stops_at: int = 0, error: Exception | None = None) -> None:
        self.count, self.stops_at, self.error, self.closed = 0, stops_at, error, False

    def trial(self, bench_id: str, order: Order, stop: Stop) -> Trial:
        self.count += 1
        if self.count == self.stops_at:
            raise self.error or BenchStoppedError
        fault = order.fault.text if order.fault else ""
        return Trial(bench_id=bench_id, task_id=order.task_id, repeat=order.repeat, fault=fault, control=order.control)

    def close(self) -> None:
        self.closed = True


def bench(folder: Path, subject: Subject) -> BenchEnd:
    place = BenchFolder(folder)
    place.make()
    place.begin(BENCH)
    todo = list(orders(PLAN, ("a", "b"), ALL))
    return carry_out(place, BENCH, todo, lambda: subject, Never(), lambda _text: None)


def test_a_bench_that_was_stopped_keeps_its_trials_and_goes_on_with_the_missing_ones(tmp_path: Path) -> None:
    first = Made(stops_at=5)
    assert bench(tmp_path / "b", first) == BenchEnd(planned=16, made=4, stopped=True)
    assert first.closed and not (tmp_path / "b" / ".scratch").exists()
    assert bench(tmp_path / "b", Made()) == BenchEnd(planned=16, made=12)
    names = [name_of(trial) for trial in BenchFolder(tmp_path / "b").trials()]
    assert len(names) == len(set(names)) == 16
    third = Made()
    assert bench(tmp_path / "b", third).made == 0 and third.count == 0


def test_a_full_disk_keeps_what_is_made_and_says_how_to_go_on(tmp_path: Path) -> None:
    with pytest.raises(OpenPromisesError, match="2 of 16 trials are kept"):
        bench(tmp_path / "b", Made(stops_at=3, error=OSError(28, "No space left on device", "trials.jsonl")))
    assert len(BenchFolder(tmp_path / "b").trials()) == 2


def test_a_torn_last_line_is_a_trial_that_never_was(tmp_path: Path) -> None:
    bench(tmp_path / "b", Made(stops_at=3))
    file = tmp_path / "b" / TRIALS
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    assert bench(tmp_path / "b", Made()).made == 15
    assert file.read_bytes().startswith(whole[: whole.index(b"\n") + 1])


def test_another_bench_in_the_folder_is_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    bench(tmp_path / "b", Made())
    before = {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()}
    with pytest.raises(InputError, match="another bench: plan differ"):
        BenchFolder(tmp_path / "b").begin(replace(BENCH, plan=replace(PLAN, seed=1)))
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds no bench"):
        BenchFolder(tmp_path / "c").begin(BENCH)
    assert {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()} == before


def test_a_folder_that_cannot_be_made_is_said_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be made"):
        BenchFolder(tmp_path / "file" / "b").make()


def test_a_trial_in_a_line_says_what_was_hit_and_what_came_of_it() -> None:
    trial = Trial(bench_id="b", task_id="a", fault="patch_drafted:kill", fired=True, interrupted=True, ended="pass")
    assert told(trial, 3, 16) == "3/16  a r1  patch_drafted:kill  interrupted  pass  none applied"


def test_a_second_bench_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    place = BenchFolder(tmp_path / "b")
    place.make()
    with place.alone(), pytest.raises(InputError, match="another bench works here"), place.alone():
        pass
    with place.alone():
        pass
