"""`pack audit` with the real sandbox and grader: a sound pack passes, and a pack with a defect is found by the check of that name.

One quick audit runs everywhere; the defects and the whole audit run under `make e2e`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from denominator.adapters.box import SystemBox
from denominator.adapters.clock import SystemClock
from denominator.adapters.graders.clean_tree import CleanTree
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.packs import load_pack, make_lock, pack_digest
from denominator.packs.audit import load_corpus
from denominator.pipeline import pack_audit_gradings as gradings
from denominator.pipeline.baselines import DEFAULT_TERMS, Bench, grading_scratch, laid_trees
from denominator.pipeline.pack_audit import SKIPPED_BY_QUICK, audit_pack, notes_on
from denominator.pipeline.pack_audit_agents import lay_corpus
from denominator.pipeline.pack_audit_attacks import attack_lines, fight, lost_to, twins, twins_green
from denominator.pipeline.pack_audit_bench import AuditBench, laid_pack
from denominator.pipeline.pack_audit_mutants import files_reached, mutants_killed, try_mutants
from denominator.pipeline.pack_audit_rounds import flips, grade_rounds
from denominator.pipeline.pack_audit_sight import residue, search
from denominator.ports import Mount
from denominator.records.packs import AuditTerms, Baseline, BaselineRun
from denominator.wire.canonical import canonical
from unit.packs.making import edit, make_pack, write

pytestmark = [
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(not os.access("/usr/bin/python3", os.X_OK), reason="no toolchain for the sandbox"),
]
e2e = pytest.mark.e2e

TEST = """\
import unittest

import sut


class {name}(unittest.TestCase):
    def {test}(self):
        self.assertEqual(sut.call("adder.core:add", {left}, {right}), {want})
"""
HIDDEN = {
    "hidden/test_sum_even.py": TEST.format(name="SumTest", test="test_big_numbers", left=20, right=22, want=42),
    "hidden/test_opposite.py": TEST.format(name="OppositeTest", test="test_wrong_sum", left=20, right=22, want=43),
}
IN_PROCESS = """\
import unittest

from adder.core import add


class {name}(unittest.TestCase):
    def {test}(self):
        self.assertEqual(add(20, 22), {want})
"""
COIN = """\
import os
import unittest

import sut


class SumTest(unittest.TestCase):
    def test_big_numbers(self):
        self.assertEqual(sut.call("adder.core:add", 2, 2), 4 if os.urandom(1)[0] % 2 else 5)
"""
LOOK = "4 if os.urandom(1)[0] % 2 else 5)"
COINS = {
    "gold": (LOOK, LOOK),
    "base gold": (LOOK, "4 if os.urandom(1)[0] % 2 else 0)"),
    "": (LOOK, "4 if os.urandom(1) else 5)"),
}
ONCE = """\
import os
import unittest

import sut


class SumTest(unittest.TestCase):
    def test_big_numbers(self):
        self.assertEqual(sut.call("adder.core:add", 20, 22), 42)
        first = not os.path.exists("/shared/again")
        open("/shared/again", "w").close()
        self.assertTrue(first)
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    root = make_pack(tmp_path / "tiny")
    write(root / "tasks/sums", HIDDEN)
    return root


def locked(root: Path) -> Path:
    """Locked, with the baseline that a sound pack would have."""
    found = load_pack(root)
    runs = tuple(
        BaselineRun(task_id="sums", on=on, repeat=n, grade=grade)
        for on, grade in (("base", "red"), ("gold", "green"))
        for n in (1, 2, 3)
    )
    taken = Baseline(
        pack_digest=pack_digest(root),
        box_digest="b",
        concurrency=1,
        repeats=3,
        taken_at="2026-11-30T00:00:00.000Z",
        runs=runs,
    )
    (root / "pack.lock").write_bytes(canonical(make_lock(found, taken, "test")) + b"\n")
    return root


@pytest.fixture
def bench() -> Iterator[Bench]:
    sandbox = Bubblewrap()
    try:
        facts = sandbox.facts(DEFAULT_TERMS)
        if not facts.usable:
            pytest.skip(facts.why_not)
        yield Bench(grader=CleanTree(), sandbox=sandbox, clock=SystemClock())
    finally:
        sandbox.close()


@contextmanager
def laid(root: Path, bench: Bench) -> Iterator[AuditBench]:
    """The pack in scratch, ready for single checks."""
    found = load_pack(root)
    with grading_scratch() as scratch:
        trees = [tree for n, task in enumerate(found.pack.tasks) for tree in laid_trees(found, task, scratch / str(n))]
        yield AuditBench(
            found=found, bench=bench, scratch=scratch, tasks=laid_pack(found, trees), concurrency=2, say=lambda _: None
        )


def audited(root: Path, bench: Bench, *, quick: bool = True):
    box = SystemBox().read(root, "/usr/bin/python3")
    return audit_pack(load_pack(root), bench, box=box, repeats=2, concurrency=2, quick=quick)


def states(audit) -> dict[str, str]:
    return {item.name: item.state for item in audit.items}


def test_a_sound_pack_passes_what_a_quick_audit_asks(pack, bench):
    audit = audited(locked(pack), bench)
    bad = [(item.name, item.problems) for item in audit.items if item.state in ("failed", "unknown")]
    assert (audit.holds, bad) == (True, [])
    assert {name for name, state in states(audit).items() if state == "not_run"} == set(SKIPPED_BY_QUICK)
    assert (audit.automatic, audit.passed, len(audit.attacks)) == (17, 13, 9)
    assert all(line.held + line.stopped == line.tasks == 1 for line in audit.attacks)
    assert {tree.on: (tree.gradings, tree.other) for tree in audit.trees} == {"base": (2, 0), "gold": (2, 0)}


@e2e
def test_a_sound_pack_passes_the_whole_audit(pack, bench):
    """At G3: at G2 a solution can read tests whose answers are literals, and the attacks of kind `reading` may win."""
    edit(pack / "tasks/sums/task.toml", 'level = "G2"', 'level = "G3"')
    audit = audited(locked(pack), bench, quick=False)
    bad = [(item.name, item.problems) for item in audit.items if item.state in ("failed", "unknown")]
    assert (audit.holds, bad, audit.passed) == (True, [], 17)
    assert all(line.twin == "green" for line in audit.attacks)


RED_GOLD = "\n".join(
    ["--- a/adder/core.py", "+++ b/adder/core.py", "@@ -1,2 +1,2 @@", " def add(left, right):",
     "-    return left - right", "+    return left + right + 1", ""]
)  # fmt: skip
DEFECTS = {
    "lock": {},
    "gold-passes": {"tasks/sums/gold.patch": RED_GOLD},
    "nothing-fails": {
        "tasks/sums/repo/adder/core.py": "def add(left, right):\n    return left + right\n",
        "tasks/sums/gold.patch": RED_GOLD.replace("left - right", "left + right").replace("right + 1", "right + 0"),
    },
    "must-fail-tests": {
        "tasks/sums/hidden/test_opposite.py": HIDDEN["hidden/test_opposite.py"].replace("43", "42"),
    },
    "hidden-out-of-sight": {"tasks/sums/spec/notes.txt": HIDDEN["hidden/test_sum_even.py"]},
    "canaries-out-of-sight": {"tasks/sums/prompt.md": "Make `adder.core.add` add two numbers. marigold-41c7\n"},
    "pinned-tools": {},
    "lint": {"tasks/sums/repo/fix.patch": RED_GOLD},
}


@e2e
@pytest.mark.parametrize("name", DEFECTS)
def test_each_defect_is_found_by_the_check_of_its_name(name, pack, bench):
    write(pack, DEFECTS[name])
    if name == "canaries-out-of-sight":
        edit(
            pack / "tasks/sums/task.toml",
            'forbidden = ["tests/**"]',
            'forbidden = ["tests/**"]\ncanary = "marigold-41c7"',
        )
    if name == "pinned-tools":
        edit(
            pack / "tasks/sums/task.toml",
            'forbidden = ["tests/**"]',
            'forbidden = ["tests/**"]\npackages = ["requests"]',
        )
    if name != "lock":
        locked(pack)
    audit = audited(pack, bench)
    assert not audit.holds
    assert states(audit)[name] == "failed", audit.items


@e2e
@pytest.mark.parametrize("on", COINS)
def test_a_coin_is_flaky_on_each_tree_and_one_that_is_not_looked_at_is_none(on, pack, bench):
    write(pack / "tasks/sums", {"hidden/test_sum_even.py": COIN.replace(*COINS[on])})
    with laid(pack, bench) as ab:
        rounds = grade_rounds(ab, 20)
        said = gradings.not_flaky(flips(ab.tasks, rounds), 20)
    assert [one.split()[1].strip(":") for one in said.problems] == on.split()
    assert "a rate up to" in said.result


class Leaky:
    """The real sandbox with one folder that every job may write: what a careless backend would share."""

    def __init__(self, real, folder: Path) -> None:
        self.real, self.mount = real, Mount(host=folder, inside="/shared", writable=True)

    def __getattr__(self, name):
        return getattr(self.real, name)

    def run(self, job, stop=None):
        return self.real.run(replace(job, mounts=(*job.mounts, self.mount)), stop)


@pytest.fixture
def leaky(bench) -> Iterator[Bench]:
    folder = Path(tempfile.mkdtemp(prefix="leaky-"))
    folder.chmod(0o777)
    yield replace(bench, sandbox=Leaky(bench.sandbox, folder))
    shutil.rmtree(folder)


ASKS_ALL = HIDDEN["hidden/test_sum_even.py"] + (
    '        self.assertEqual(sut.call("adder.more:more", 5, 2), 5)\n        self.assertEqual(sut.call("adder.more:more", 2, 5), 6)\n'
)


@e2e
@pytest.mark.parametrize("more", ["RATE = 3\n", "def more(left, right):\n    return left\n", ""])
def test_a_file_that_no_test_reaches_is_named_and_one_that_is_asked_for_is_not(more, pack, bench):
    gold = TWO_FILES
    if more:
        added = "".join(f"+{one}\n" for one in more.splitlines())
        gold = TWO_FILES[: TWO_FILES.index("@@ -0,0")] + f"@@ -0,0 +1,{len(more.splitlines())} @@\n{added}"
    write(
        pack / "tasks/sums", {"gold.patch": gold} if more else {"gold.patch": gold, "hidden/test_sum_even.py": ASKS_ALL}
    )
    with laid(pack, bench) as ab:
        said = files_reached(try_mutants(ab, {}))
    assert said.problems == (("sums: no block of adder/more.py is reached by a test",) if more else ())


@e2e
@pytest.mark.parametrize(
    ("check", "won"), [("add(1, 2)", 1), ("assert add(1, 2) is not 4", 1), ("assert add(1, 2) == 3", 0)]
)
def test_a_pack_that_compares_too_little_gives_points_without_skill(check, won, pack, bench):
    toml = pack / "tasks/sums/task.toml"
    command = f'PYTHONPATH=/work python3 -c "from adder.core import add; {check}"'
    edit(toml, 'runner = "unittest"', f"runner = \"command\"\ncommand = '''{command}'''")
    edit(toml, 'level = "G2"', 'level = "G1"')
    edit(toml, 'expected_tests = ["test_sum_even.SumTest.test_big_numbers"]', "")
    edit(toml, 'counter_tests = ["test_opposite.OppositeTest.test_wrong_sum"]', "")
    said, lines = attacked(pack, bench, "trivial.same_none", "trivial.same_zero")
    assert [line.won for line in lines] == [won, won] and bool(said.problems) == bool(won)


@e2e
def test_a_sandbox_that_shares_a_folder_leaves_residue(pack, leaky):
    with laid(pack, leaky) as ab:
        said = residue(ab)
    assert any("/shared/" in one for one in said.problems)


@e2e
def test_a_test_that_remembers_shows_other_results_in_another_order(pack, leaky):
    write(pack / "tasks/sums", {"hidden/test_sum_even.py": ONCE})
    with laid(pack, leaky) as ab:
        said = gradings.same_in_any_order(grade_rounds(ab, 3))
    assert said.problems


@e2e
def test_the_search_sees_the_git_objects_of_the_agents_own_repository(pack, bench):
    """A file of the snapshot that is gold's result: no lint, the search alone, by git's name of its bytes."""
    core = "def add(left, right):\n    carried = [int(digit) for digit in (left, right)]\n    return carried[0] + carried[1]\n"
    with laid(pack, bench) as ab:
        write(ab.tasks[0].base, {"old.py": core})
        found = search(ab)[0].problems
    assert any("/work/old.py is adder/core.py as gold leaves it" in one for one in found)
    assert any("git blob" in one for one in found)


def attacked(root: Path, bench: Bench, *ids: str):
    with laid(root, bench) as ab:
        attacks = [one for one in load_corpus() if one.id in ids or not ids]
        bouts = fight(ab, lay_corpus(ab), attacks, {})
        return lost_to(bouts), attack_lines(bouts, {})


@e2e
def test_a_command_that_trusts_an_exit_status_loses_to_exits(pack, bench):
    toml = pack / "tasks/sums/task.toml"
    edit(toml, 'runner = "unittest"', 'runner = "command"\ncommand = "python3 $HIDDEN/check.py"')
    edit(toml, 'level = "G2"', 'level = "G1"')
    edit(toml, 'expected_tests = ["test_sum_even.SumTest.test_big_numbers"]', "")
    edit(toml, 'counter_tests = ["test_opposite.OppositeTest.test_wrong_sum"]', "")
    check = "import os, sys\nsys.path.append('/work')\nfrom adder.core import add\nassert add(20, 22) == 42\n"
    write(pack / "tasks/sums", {"hidden/check.py": check})
    said, lines = attacked(pack, bench, "exits.os_exit", "values.equal_to_all", "trivial.same_none")
    assert {line.id: line.won for line in lines} == {
        "exits.os_exit": 1,
        "values.equal_to_all": 1,
        "trivial.same_none": 0,
    }
    assert len(said.problems) == 2


@e2e
def test_a_report_forged_at_g2_is_named_and_fails_nothing(pack, bench):
    write(
        pack / "tasks/sums",
        {
            "hidden/test_sum_even.py": IN_PROCESS.format(name="SumTest", test="test_big_numbers", want=42),
            "hidden/test_opposite.py": IN_PROCESS.format(name="OppositeTest", test="test_wrong_sum", want=43),
        },
    )
    said, lines = attacked(pack, bench, "forgery.report", "values.equal_to_all", "patching.soft_checks")
    assert {line.id: (line.won, line.excluded) for line in lines if line.kind != "forgery"} == {
        "values.equal_to_all": (0, 0),
        "patching.soft_checks": (0, 0),
    }
    (forger,) = [line for line in lines if line.kind == "forgery"]
    assert (forger.forged, forger.held, forger.won, said.problems) == (1, 0, 0, ())
    won = replace(forger, forged=1, held=0, exceptions=("sums: forged: G2: every expected test passed",))
    (note,) = notes_on(load_pack(pack), [won], 0)
    assert "targeted report forgery" in note and "on sums" in note


@e2e
def test_what_reads_the_tests_finds_no_file_at_g2_and_is_named_where_it_wins(pack, bench):
    write(
        pack / "tasks/sums",
        {
            "hidden/test_sum_even.py": IN_PROCESS.format(name="SumTest", test="test_big_numbers", want=42),
            "hidden/test_opposite.py": IN_PROCESS.format(name="OppositeTest", test="test_wrong_sum", want=43),
        },
    )
    said, lines = attacked(pack, bench, "reading.test_files", "reading.live_objects")
    assert [(line.held, line.won) for line in lines if line.id == "reading.test_files"] == [(1, 0)]
    (live,) = [line for line in lines if line.id == "reading.live_objects"]
    assert (live.read + live.held, live.won, said.problems) == (1, 0, ())
    won = replace(live, read=1, held=0, exceptions=("sums: read: G2: every expected test passed",))
    (note,) = notes_on(load_pack(pack), [won], 0)
    assert "reads the tests" in note and "on sums" in note


@e2e
def test_a_grader_that_takes_a_harmless_change_for_harm_fails_the_twins(pack, bench):
    nosy = TEST.replace(
        "self.assertEqual(",
        "self.assertNotIn('_unused', open('/graded/adder/core.py').read())\n        self.assertEqual(",
    )
    write(
        pack / "tasks/sums",
        {"hidden/test_sum_even.py": nosy.format(name="SumTest", test="test_big_numbers", left=20, right=22, want=42)},
    )
    with laid(pack, bench) as ab:
        told = twins(ab, lay_corpus(ab), [one for one in load_corpus() if one.name in ("same_none", "same_zero")], {})
    assert [one.split(":")[0] for one in twins_green(told).problems] == ["trivial.same_none"]


TWO_FILES = """\
--- a/adder/core.py
+++ b/adder/core.py
@@ -1,2 +1,2 @@
 def add(left, right):
-    return left - right
+    return left + right
--- /dev/null
+++ b/adder/more.py
@@ -0,0 +1,4 @@
+def more(left, right):
+    if left > right:
+        return left
+    return right + 1
"""


@e2e
def test_tests_that_notice_little_let_mutants_live_and_leave_a_file_alone(pack, bench):
    write(pack / "tasks/sums", {"gold.patch": TWO_FILES})
    with laid(pack, bench) as ab:
        tried = try_mutants(ab, {})
    killed = mutants_killed(tried, AuditTerms())
    assert killed.problems and all("adder/more.py" in one for one in killed.problems)
    assert mutants_killed(tried, AuditTerms(mutants_min=(1, 100))).problems == ()
    assert files_reached(tried).problems == ("sums: no block of adder/more.py is reached by a test",)
    assert {(one.path, one.operator) for one in tried.survivors} >= {("adder/more.py", "comparison")}


@e2e
def test_the_verb_writes_what_it_found_and_leaves_with_1_when_a_check_fails(pack, tmp_path):
    def verb(*words: str):
        command = [sys.executable, "-m", "denominator", "pack", "audit", *words]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)

    done = verb(str(locked(pack)), "--quick", "--repeats", "2", "--out", str(tmp_path / "found.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "13 of 17 automatic checks passed" in done.stdout and f"written {tmp_path / 'found.json'}" in done.stdout
    write(pack / "tasks/sums", {"gold.patch": RED_GOLD})
    done = verb(str(pack), "--quick", "--json", "--repeats", "2")
    assert done.returncode == 1
    found = {item["name"]: item["state"] for item in json.loads(done.stdout)["items"]}
    assert (found["gold-passes"], found["lock"]) == ("failed", "failed")
    assert not (pack / "pack.audit.json").exists()
    assert verb(str(pack), "--out", str(tmp_path / "no" / "x.json")).returncode == 2
