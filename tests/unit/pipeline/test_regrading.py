"""Stored patches graded again, with a small grader that reads the tree it is given: agree, differ, could not, never graded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.packs import load_pack, make_lock
from denominator.pipeline.regrade_verdicts import Asked
from denominator.pipeline.regrading import Shelf, exit_of, regrade
from denominator.records.keys import AttemptKey
from denominator.records.packs import Baseline, BaselineRun
from denominator.records.regrades import Regrade, Regraded
from denominator.records.rows import AttemptRow, PatchFacts
from denominator.records.rows import TestIds as Ids
from denominator.records.seals import SealedTask
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.trees import diff_trees, read_tree
from unit.packs.making import add_task, make_pack
from unit.pipeline.test_pack_lock import TreeGrader, bench

GOOD = "def add(left, right):\n    carried = [left, right]\n    return carried[0] + carried[1]\n"
BAD = "def add(left, right):\n    return left * right\n"


class Desk:
    """A pack, and rows with patches as a run would have left them."""

    def __init__(self, root: Path) -> None:
        self.root, self.blobs = root, dict[str, bytes]()
        add_task(make_pack(root), "more")
        found = load_pack(root)
        locked = {one.id: one for one in make_lock(found, None, "a test").tasks}
        self.sealed = {one.id: SealedTask(task=one, locked=locked[one.id]) for one in found.pack.tasks}
        self.rows: list[Asked] = []

    def row(self, text: str, grade: str, task: str = "sums") -> Asked:
        """One more row: the patch writes this text, the grade was recorded."""
        repo, final = self.root / "tasks" / task / "repo", self.root.parent / f"final-{len(self.rows)}"
        (final / "adder").mkdir(parents=True)
        for path in ("README.md", "adder/__init__.py"):
            (final / path).write_bytes((repo / path).read_bytes())
        (final / "adder/core.py").write_text(text)
        tree = read_tree(final)
        patch, blobs = diff_trees(read_tree(repo), final, tree)
        self.blobs |= blobs | {sha256_bytes(canonical(patch)): canonical(patch)}
        row = AttemptRow(
            key=AttemptKey("r", task, len(self.rows) + 1, 1),
            slice="solvable",
            grade=grade,
            report_sha="0" * 64,
            tests=Ids(passed=("a",) if grade == "green" else (), failed=("a",) if grade == "red" else ()),
            patch=PatchFacts(sha256=sha256_bytes(canonical(patch)), bytes=1, applied_tree=tree.digest),
        )
        self.rows.append(Asked(index=len(self.rows), row=row, sealed=self.sealed[task]))
        return self.rows[-1]

    def change(self, change: Callable[[AttemptRow], AttemptRow]) -> None:
        """Another record of the last row."""
        self.rows[-1] = replace(self.rows[-1], row=change(self.rows[-1].row))

    def blob(self, sha: str) -> bytes:
        if sha not in self.blobs:
            raise InputError("thin: only its digest travels")
        return self.blobs[sha]

    def done(self, grader: TreeGrader | None = None, **over: object) -> Regraded:
        shelf = Shelf(material=self.root, bench=bench(grader or TreeGrader()), blob=self.blob, grader_sha="g" * 64)
        return regrade(self.rows, replace(shelf, **over))

    def one(self, grader: TreeGrader | None = None, **over: object) -> Regrade:
        return self.done(grader, **over).rows[-1]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "pack")


def test_grades_that_are_met_again_agree_and_the_agent_off_comes_first(desk: Desk) -> None:
    desk.row(GOOD, "green")
    desk.row(BAD, "red", "more")
    grader = TreeGrader()
    done = desk.done(grader)
    assert [(one.state, one.recorded, one.now, one.seen) for one in done.rows] == [
        ("agree", "green", "green", ("green",)), ("agree", "red", "red", ("red",)),
    ]  # fmt: skip
    assert (done.agree, done.differ, done.could_not, done.never_graded, done.baseline) == (2, 0, 0, 0, 12)
    assert len(grader.orders) == 14 and all("tree" not in one.tree.name for one in grader.orders[:12])
    assert exit_of(done) == 0


def test_a_grade_that_is_not_met_is_named_and_graded_three_times(desk: Desk) -> None:
    desk.row(GOOD, "green")
    desk.row(BAD, "green", "more")
    done = desk.done()
    odd = done.rows[1]
    assert (odd.task_id, odd.repeat, odd.state, odd.recorded, odd.now) == ("more", 2, "differ", "green", "red")
    assert odd.seen == ("red",) * 3 and done.rows[0].state == "agree"
    assert (done.agree, done.differ, exit_of(done)) == (1, 1, 1)


def test_a_flaky_test_is_told_from_a_forged_grade(desk: Desk) -> None:
    desk.row(BAD, "green")
    desk.row(GOOD, "green", "more")
    done = desk.done(TreeGrader(flaky="sums"))
    assert [one.state for one in done.rows] == ["could_not", "agree"]
    assert [name for name, _ in done.unfit] == ["sums"] and "FLAKY_TEST" in done.rows[0].why
    assert exit_of(done) == 2, "what could not be graded is no agreement"


class Expired(TreeGrader):
    """Red for every tree, as if the day of the tests were over."""

    def grade(self, order, sandbox, stop=None):
        return replace(super().grade(order, sandbox, stop), grade="red")


def test_an_expired_test_is_told_from_a_forged_grade(desk: Desk) -> None:
    desk.row(GOOD, "green")
    before = Baseline(
        pack_digest="", box_digest="", concurrency=1, repeats=3, taken_at="2026-11-29T12:00:00.000Z",
        runs=tuple(BaselineRun(task_id="sums", on="gold", repeat=r, grade="green") for r in (1, 2, 3)),
    )  # fmt: skip
    assert "pack_expired" in desk.one(Expired(), baseline=before).why
    assert "wrong" in desk.one(Expired()).why


class Wavering(TreeGrader):
    """Right about base and gold, and of two minds about a patch."""

    def grade(self, order, sandbox, stop=None):
        graded = super().grade(order, sandbox, stop)
        count = sum(one.tree == order.tree for one in self.orders)
        return replace(graded, grade="green") if order.tree.name == "tree" and count == 3 else graded


def test_a_patch_that_is_graded_both_ways_proves_nothing(desk: Desk) -> None:
    desk.row(BAD, "green")
    one = desk.one(Wavering())
    assert (one.state, one.seen) == ("could_not", ("red", "red", "green")) and "no fact" in one.why


class Broken(TreeGrader):
    """Right about base and gold; comes to no verdict on a patch."""

    def grade(self, order, sandbox, stop=None):
        graded = super().grade(order, sandbox, stop)
        return replace(graded, grade="none", broken="it broke") if order.tree.name == "tree" else graded


def test_no_verdict_now_is_no_difference_and_no_verdict_then_is_one(desk: Desk) -> None:
    desk.row(GOOD, "green")
    one = desk.one(Broken())
    assert one.state == "could_not" and "it broke" in one.why
    desk.change(lambda row: replace(row, grade="none"))
    assert desk.one(Broken()).state == "agree"
    assert (desk.one().state, desk.one().now) == ("differ", "green")


def test_what_is_missing_is_said_and_never_agreement(desk: Desk) -> None:
    first = desk.row(GOOD, "green")
    for over, why in (
        ({"material": NotMeasured("the pack is not here")}, "the pack is not here"),
        ({"bench": NotMeasured("no sandbox here")}, "no sandbox here"),
        ({"grader_sha": "f" * 64}, "is not the one that was sealed"),
        ({"material": desk.root.parent}, "are not here"),
    ):
        done = desk.done(**over)
        assert (done.rows[0].state, done.could_not, exit_of(done)) == ("could_not", 1, 2) and why in done.rows[0].why
    assert not isinstance(first.row.patch, NotMeasured)
    del desk.blobs[first.row.patch.sha256]
    assert "thin: only its digest travels" in desk.one().why


def test_a_content_that_is_left_out_is_said(desk: Desk) -> None:
    desk.row(GOOD, "green")
    del desk.blobs[sha256_bytes(GOOD.encode())]
    assert (desk.one().state, desk.one().why) == ("could_not", "thin: only its digest travels")


@pytest.mark.parametrize("path", ["hidden/test_sum_even.py", "repo/README.md", "prompt.md"])
def test_a_task_that_is_not_the_sealed_one_grades_nothing(desk: Desk, path: str) -> None:
    desk.row(GOOD, "green")
    (desk.root / "tasks/sums" / path).write_text("other\n")
    assert "not those that were sealed" in desk.one().why


def test_a_mode_that_is_not_the_sealed_one_grades_nothing(desk: Desk) -> None:
    desk.row(GOOD, "green")
    (desk.root / "tasks/sums/repo/README.md").chmod(0o755)
    assert "the modes of sums" in desk.one().why


def test_a_row_that_was_never_graded_is_in_no_count_of_agreement(desk: Desk) -> None:
    desk.row(GOOD, "none")
    desk.change(lambda row: replace(row, report_sha=NotMeasured("not recorded"), stop_reason="harness"))
    done = desk.done()
    assert (done.rows[0].state, done.never_graded, done.agree, exit_of(done)) == ("never_graded", 1, 0, 2)
    desk.row(GOOD, "green")
    assert exit_of(desk.done()) == 0


@pytest.mark.parametrize(("text", "now"), [(GOOD, "green"), (BAD, "red")])
def test_what_a_patch_without_a_recorded_grade_gets_now_is_said(desk: Desk, text: str, now: str) -> None:
    """A fail that an issuer relabels as never graded is read off its patch, where that travels."""
    desk.row(GOOD, "green", "more")
    desk.row(text, "none")
    nowhere = NotMeasured("nothing was applied")
    desk.change(lambda row: replace(row, report_sha=nowhere, stop_reason="rate_limit"))
    desk.change(lambda row: replace(row, patch=replace(row.patch, applied_tree=nowhere)))
    done = desk.done()
    assert (done.rows[1].state, done.rows[1].now, done.never_graded, exit_of(done)) == ("never_graded", now, 1, 0)
    assert done.rows[1].why == f"no grading was recorded (rate_limit); its stored patch is graded {now} now"
    assert "issuer's word" in done.notes[-1]
    desk.blobs.clear()
    assert desk.one().why == "no grading was recorded (rate_limit)"


def test_bytecode_that_an_installer_left_beside_a_task_is_no_part_of_it(desk: Desk) -> None:
    desk.row(GOOD, "green")
    cache = desk.root / "tasks/sums/repo/adder/__pycache__"
    cache.mkdir()
    (cache / "core.cpython-311.pyc").write_bytes(b"bytecode")
    assert desk.one().state == "agree"


def test_a_patch_that_makes_another_tree_than_the_graded_one_differs(desk: Desk) -> None:
    desk.row(GOOD, "green")
    desk.change(lambda row: replace(row, patch=replace(row.patch, applied_tree="0" * 64)))
    assert desk.one().state == "differ" and "another tree" in desk.one().why


def test_a_patch_of_another_base_differs(desk: Desk) -> None:
    """A grade that was recorded of a patch that nobody can have applied."""
    (desk.root / "tasks/more/repo/README.md").write_text("another base\n")
    odd = desk.row(GOOD, "green", "more")
    desk.rows[-1] = replace(odd, sealed=desk.sealed["sums"])
    assert desk.one().state == "differ" and "does not apply" in str(desk.one().now)


def test_the_same_grade_for_other_reasons_is_said(desk: Desk) -> None:
    desk.row(GOOD, "green")
    desk.change(lambda row: replace(row, tests=Ids(passed=("a", "b"))))
    assert (desk.one().state, desk.one().why) == ("agree", "the same grade with other tests: passed b")


def test_many_rows_are_graded_in_parts(desk: Desk) -> None:
    for number in range(18):
        desk.row(GOOD if number % 2 else BAD, "green" if number % 2 else "red")
    done = desk.done(concurrency=3)
    assert done.agree == 18 and [one.index for one in done.rows] == [*range(18)]
