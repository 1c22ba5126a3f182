"""Taking a baseline and locking, with a small grader that reads the tree it is given."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from denominator.errors import BlockedError, InputError
from denominator.packs import load_pack, verify_lock
from denominator.pipeline.baseline_store import BaselineKey, box_digest, load_baseline, store_baseline, terms_digest
from denominator.pipeline.baselines import DEFAULT_TERMS, Bench, take_baseline
from denominator.pipeline.notes import StoppedError
from denominator.pipeline.packs import lock_pack, verify_pack, work_ahead
from denominator.ports import Ended, Graded, GradeOrder
from denominator.records.boxes import Box
from denominator.records.packs import Baseline
from denominator.records.values import NotMeasured
from unit.packs.making import add_task, edit, make_pack

BOX = Box(**{name: name for name in Box.__dataclass_fields__ if name != "schema_version"})


class FixedClock:
    boot_id = "boot"

    def __init__(self, wall: str = "2026-11-29T12:00:00.000Z") -> None:
        self.now = wall

    def mono_ns(self) -> int:
        return 0

    def wall(self) -> str:
        return self.now

    def sleep(self, seconds: float) -> None:
        raise AssertionError("nobody waits here")


class TreeGrader:
    """Green when adder/core.py adds. It only reads text; what it was asked is kept for the tests."""

    name = "tree"

    def __init__(self, *, flaky: str = "", none: str = "", pause: float = 0.0) -> None:
        self.flaky, self.none, self.pause = flaky, none, pause
        self.orders: list[GradeOrder] = []
        self.threads: set[int] = set()
        self.running: Counter[int] = Counter()
        self.most = 0
        self.lock = threading.Lock()
        self.killed_by = "nobody"

    def digest(self) -> str:
        return "g" * 64

    def grade(self, order, sandbox, stop=None) -> Graded:
        with self.lock:
            self.orders.append(order)
            self.threads.add(threading.get_ident())
            self.running[order.slot] += 1
            assert self.running[order.slot] == 1, "two gradings in one slot"
            self.most = max(self.most, sum(self.running.values()))
            count = sum(o.task.id == order.task.id and o.tree == order.tree for o in self.orders)
        time.sleep(self.pause)
        text = (order.tree / "adder/core.py").read_text()
        grade = "green" if "carried[0] + carried[1]" in text else "red"
        if order.task.id == self.flaky and count == 2:
            grade = "green" if grade == "red" else "red"
        if order.task.id == self.none:
            grade = "none"
        with self.lock:
            self.running[order.slot] -= 1
        return self._graded(grade)

    def _graded(self, grade: str) -> Graded:
        ended = Ended(
            exit_code=0,
            signal=0,
            killed_by=self.killed_by,
            oom=False,
            wall_ns=2_500_000,
            start_ns=0,
            stdout=b"",
            stderr=b"",
            output_truncated=False,
            report=b"",
            enforced={},
        )
        return Graded(
            grade=grade,
            why="because",
            level="G2",
            stage="finished",
            expected=("a",),
            passed=("a",) if grade == "green" else (),
            failed=("a",) if grade == "red" else (),
            skipped=(),
            missing=(),
            other=(),
            sentinels_expected=1,
            sentinels_failed=1,
            counter_expected=1,
            counter_failed=1,
            grader_sha="g" * 64,
            report=b"",
            ended=ended,
        )


def bench(grader: TreeGrader, **more) -> Bench:
    return Bench(grader=grader, sandbox=None, clock=FixedClock(), **more)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return make_pack(tmp_path / "tiny")


def take(root: Path, grader: TreeGrader, concurrency: int = 2, repeats: int = 3, **more) -> Baseline:
    return take_baseline(load_pack(root), bench(grader, **more), repeats=repeats, concurrency=concurrency, box=BOX)


def test_base_and_gold_are_graded_several_times(pack):
    grader = TreeGrader()
    baseline = take(pack, grader)
    assert [(run.on, run.repeat, run.grade) for run in baseline.runs] == [
        *(("base", repeat, "red") for repeat in (1, 2, 3)),
        *(("gold", repeat, "green") for repeat in (1, 2, 3)),
    ]
    assert (baseline.flaky, baseline.wrong, baseline.repeats, baseline.concurrency) == ((), (), 3, 2)
    assert baseline.grader_sha == "g" * 64 and baseline.box_digest == box_digest(BOX)
    assert baseline.runs[0].ms == 2 and baseline.runs[0].detail == "because"
    assert not any(order.tree.exists() for order in grader.orders), "scratch is left behind"


def test_trees_are_copies_and_hold_no_bytecode(pack):
    (pack / "tasks/sums/repo/adder/__pycache__").mkdir()
    (pack / "tasks/sums/repo/adder/__pycache__/core.pyc").write_bytes(b"\0")
    seen: list[Path] = []

    class Looking(TreeGrader):
        def grade(self, order, sandbox, stop=None):
            seen.append(order.tree)
            assert not list(order.tree.rglob("*.pyc"))
            assert {path.name for path in order.hidden.iterdir()} == {"test_sum_even.py", "test_opposite.py"}
            return super().grade(order, sandbox, stop)

    take(pack, Looking())
    assert all(pack not in tree.parents for tree in seen)


def test_as_many_gradings_at_a_time_as_asked_each_in_a_slot_of_its_own(pack):
    for number in range(4):
        add_task(pack, f"more{number}")
    grader = TreeGrader(pause=0.01)
    take(pack, grader, concurrency=3)
    assert grader.most == 3
    assert {order.slot for order in grader.orders} == {0, 1, 2}
    assert len(grader.threads) == 3, "worker threads live until the last grading"


def test_both_results_on_one_tree_are_flaky(pack):
    add_task(pack, "sound")
    baseline = take(pack, TreeGrader(flaky="sums"))
    assert (baseline.flaky, baseline.wrong) == (("sums",), ())


def test_no_verdict_is_neither_flaky_nor_wrong_and_nothing_is_known(pack):
    baseline = take(pack, TreeGrader(none="sums"))
    assert (baseline.flaky, baseline.wrong, baseline.ungraded) == ((), (), ("sums",))


def test_gold_that_was_green_at_the_lock_and_is_red_now_has_expired(pack):
    lock(pack, TreeGrader())

    class Later(TreeGrader):
        def grade(self, order, sandbox, stop=None):
            return replace(super().grade(order, sandbox, stop), grade="red")

    baseline = take(pack, Later())
    assert (baseline.expired, baseline.wrong, baseline.flaky) == (("sums",), (), ())
    (pack / "pack.lock").unlink()
    assert take(pack, Later()).wrong == ("sums",), "without a lock nobody knows that it was ever green"


def test_gold_that_is_red_once_after_the_lock_is_flaky_and_has_not_expired(pack):
    lock(pack, TreeGrader())

    class Once(TreeGrader):
        def grade(self, order, sandbox, stop=None):
            graded = super().grade(order, sandbox, stop)
            seen = sum(o.tree == order.tree for o in self.orders)
            return replace(graded, grade="red") if order.tree.name == "gold" and seen == 2 else graded

    baseline = take(pack, Once(), concurrency=1)
    assert (baseline.flaky, baseline.expired, baseline.wrong) == (("sums",), (), ())


def test_green_already_is_wrong_but_for_controls_that_must_stay_green(pack):
    for name in ("green", "noop"):
        words = (
            {"slice": "negative", "control": "noop_must_stay_green", "expected": "stay_green"} if name == "noop" else {}
        )
        where = add_task(pack, name, **words)
        (where / "repo/adder/core.py").write_text("def add(a, b):\n    return carried[0] + carried[1]\n")
        (where / "gold.patch").unlink(missing_ok=True)
    add_task(pack, "red-noop", slice="negative", control="noop_must_stay_green", expected="stay_green")
    add_task(pack, "must-fail", slice="negative", control="must_fail", expected="fail")
    assert take(pack, TreeGrader()).wrong == ("green", "red-noop")


def test_red_gold_is_wrong(pack):
    edit(pack / "tasks/sums/gold.patch", "carried[0] + carried[1]", "carried[0] - carried[1]")
    assert take(pack, TreeGrader()).wrong == ("sums",)


def test_gold_that_does_not_fit_is_an_error(pack):
    edit(pack / "tasks/sums/repo/adder/core.py", "left - right", "left * right")
    with pytest.raises(InputError, match="cannot be applied"):
        take(pack, TreeGrader())


@pytest.mark.parametrize(("repeats", "concurrency"), [(2, 1), (3, 0)])
def test_too_few_repeats_are_refused(pack, repeats, concurrency):
    with pytest.raises(InputError):
        take(pack, TreeGrader(), repeats=repeats, concurrency=concurrency)


def test_a_pack_that_changes_meanwhile_is_refused(pack):
    class Changing(TreeGrader):
        def grade(self, order, sandbox, stop=None):
            (pack / "tasks/sums/repo/README.md").write_text("changed\n")
            return super().grade(order, sandbox, stop)

    with pytest.raises(InputError, match="changed while"):
        take(pack, Changing())


def test_a_stop_leaves_no_half_baseline(pack):
    stop = threading.Event()

    def note(run):
        stop.set()

    with pytest.raises(StoppedError):
        take(pack, TreeGrader(), concurrency=1, stop=stop, note=note)
    killed = TreeGrader()
    killed.killed_by = "harness_stop"
    with pytest.raises(StoppedError):
        take(pack, killed)


def test_a_crashing_grader_ends_everything(pack):
    class Crashing(TreeGrader):
        def grade(self, order, sandbox, stop=None):
            raise RuntimeError("grader")

    with pytest.raises(RuntimeError):
        take(pack, Crashing())


# Locking


def lock(root: Path, grader: TreeGrader):
    return lock_pack(root, bench(grader), box=BOX, concurrency=2)


def test_a_lock_holds_its_baseline(pack):
    locked = lock(pack, TreeGrader())
    found = load_pack(pack)
    assert found.lock == locked.lock and verify_lock(found).holds
    assert found.lock.baseline.wrong == ()
    assert {finding.severity for finding in locked.findings} == {"note"}


@pytest.mark.parametrize(("grader", "code"), [(TreeGrader(flaky="sums"), "PL009"), (TreeGrader(none="sums"), "PL008")])
def test_an_unsound_baseline_writes_no_lock(pack, grader, code):
    with pytest.raises(BlockedError) as caught:
        lock(pack, grader)
    assert code in str(caught.value) and caught.value.exit == 1
    assert not (pack / "pack.lock").exists()


def test_lint_comes_before_any_grading(pack):
    edit(pack / "tasks/sums/prompt.md", "Make", "Failing now: test_big_numbers. Make")
    grader = TreeGrader()
    with pytest.raises(BlockedError, match="unfit"):
        lock(pack, grader)
    assert grader.orders == []


def test_a_used_version_is_refused_before_any_grading_and_the_old_lock_stays(pack):
    lock(pack, TreeGrader())
    before = (pack / "pack.lock").read_bytes()
    edit(pack / "tasks/sums/prompt.md", "two numbers", "two small numbers")
    grader = TreeGrader()
    with pytest.raises(InputError, match="was locked as"):
        lock(pack, grader)
    assert grader.orders == [] and (pack / "pack.lock").read_bytes() == before
    assert [path.name for path in pack.iterdir() if "part" in path.name] == []


def test_an_old_flaky_baseline_does_not_stop_a_new_lock(pack):
    locked = lock(pack, TreeGrader()).lock
    from denominator.wire.canonical import canonical

    flaky = replace(locked, baseline=replace(locked.baseline, flaky=("sums",)))
    (pack / "pack.lock").write_bytes(canonical(flaky))
    assert lock(pack, TreeGrader()).lock.baseline.flaky == ()


# Verifying: nothing is written, and what holds at one concurrency need not hold at another


def verify(root: Path, grader: TreeGrader, *, repeats: int = 4, concurrency: int = 2):
    return verify_pack(load_pack(root), bench(grader), box=BOX, repeats=repeats, concurrency=concurrency)


def test_a_stable_pack_holds_and_nothing_is_written(pack):
    lock(pack, TreeGrader())
    before = {path: path.read_bytes() for path in pack.rglob("*") if path.is_file()}
    check = verify(pack, TreeGrader(), repeats=10)
    assert check.holds and check.locked and check.changed == ()
    (task,) = check.tasks
    assert (task.verdict, [(t.on, t.green, t.red, t.none) for t in task.trees]) == (
        "stable",
        [("base", 0, 10, 0), ("gold", 10, 0, 0)],
    )
    assert {tree.flake_rate_upper for tree in task.trees} == {"0.258866"}, "1 - 0.05 ** (1 / 10)"
    assert {path: path.read_bytes() for path in pack.rglob("*") if path.is_file()} == before


class Clash(TreeGrader):
    """Gold needs a port; of gradings at one time only the first gets it. `together` gradings of gold wait for each other."""

    def __init__(self, together: int) -> None:
        super().__init__()
        self.gate = threading.Barrier(together, timeout=30)
        self.holder: int | None = None

    def grade(self, order, sandbox, stop=None):
        graded = super().grade(order, sandbox, stop)
        if order.tree.name != "gold":
            return graded
        with self.lock:
            self.holder = order.slot if self.holder is None else self.holder
        self.gate.wait()
        return graded if order.slot == self.holder else replace(graded, grade="red", why="address already in use")


def test_a_clash_shows_at_the_concurrency_at_which_it_happens(pack):
    assert verify(pack, Clash(1), concurrency=1).holds
    check = verify(pack, Clash(4), concurrency=8)
    (task,) = check.tasks
    assert (check.holds, task.verdict) == (False, "FLAKY_TEST")
    assert (task.trees[1].green, task.trees[1].red) == (1, 3) and "address already in use" in task.detail


def test_a_pack_that_differs_from_its_lock_is_not_graded(pack):
    lock(pack, TreeGrader())
    edit(pack / "tasks/sums/prompt.md", "two numbers", "two small numbers")
    grader = TreeGrader()
    check = verify(pack, grader)
    assert not check.holds and grader.orders == []
    assert any("prompt.md" in one for one in check.changed)


def test_one_repeat_of_an_unlocked_pack_may_be_asked_for(pack):
    check = verify(pack, TreeGrader(), repeats=1)
    assert check.holds and not check.locked
    assert check.tasks[0].trees[0].flake_rate_upper == "0.950000"


def test_the_work_ahead_is_said_by_the_lock_or_by_the_limits(pack):
    assert (
        work_ahead(load_pack(pack), 10, 2) == "1 task, 2 trees, 10 times each: 20 gradings, 2 at a time; 300 s at most"
    )
    lock(pack, TreeGrader())
    assert "about 1 s by the timings of the lock" in work_ahead(load_pack(pack), 10, 2)


# Keeping


def key(baseline: Baseline, **other) -> BaselineKey:
    return replace(
        BaselineKey(
            baseline.pack_digest,
            baseline.box_digest,
            baseline.concurrency,
            baseline.grader_sha,
            terms_digest(DEFAULT_TERMS),
        ),
        **other,
    )


def test_a_baseline_is_found_again_for_a_day(pack, tmp_path):
    baseline = take(pack, TreeGrader())
    store_baseline(tmp_path / "kept", baseline)
    for now in ("2026-11-29T12:00:00.000Z", "2026-11-30T12:00:00.000Z"):
        assert load_baseline(tmp_path / "kept", key(baseline), now=now) == baseline
    late = load_baseline(tmp_path / "kept", key(baseline), now="2026-11-30T12:00:00.001Z")
    early = load_baseline(tmp_path / "kept", key(baseline), now="2026-11-29T11:59:59.999Z")
    assert "24 hours" in late.not_measured and "clock went back" in early.not_measured


@pytest.mark.parametrize(
    "other",
    [{"pack_digest": "x"}, {"box_digest": "x"}, {"concurrency": 9}, {"grader_sha": "x"}, {"terms_digest": "x"}],
    ids=str,
)
def test_a_baseline_of_other_conditions_is_not_found(pack, tmp_path, other):
    baseline = take(pack, TreeGrader())
    path = store_baseline(tmp_path, baseline)
    wanted = key(baseline, **other)
    assert isinstance(load_baseline(tmp_path, wanted, now=baseline.taken_at), NotMeasured)
    # Nor when someone puts the file where the other one would be.
    from denominator.pipeline.baseline_store import _place

    path.rename(_place(tmp_path, wanted))
    assert "other conditions" in load_baseline(tmp_path, wanted, now=baseline.taken_at).not_measured


def test_fewer_repeats_than_wanted_are_not_enough(pack, tmp_path):
    baseline = take(pack, TreeGrader())
    store_baseline(tmp_path, baseline)
    found = load_baseline(tmp_path, key(baseline), now=baseline.taken_at, repeats=5)
    assert "5 are wanted" in found.not_measured


def test_a_broken_file_is_no_baseline(pack, tmp_path):
    baseline = take(pack, TreeGrader())
    store_baseline(tmp_path, baseline).write_text("{")
    assert "cannot be used" in load_baseline(tmp_path, key(baseline), now=baseline.taken_at).not_measured


def test_load_and_free_disk_make_no_other_box():
    assert box_digest(replace(BOX, load_1m="9", disk_free_bytes="1")) == box_digest(BOX)
    assert box_digest(replace(BOX, kernel="other")) != box_digest(BOX)
    assert box_digest(replace(BOX, host=NotMeasured("no name"))) != box_digest(BOX)
