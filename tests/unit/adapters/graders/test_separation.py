"""Level G3: the solution runs in a sandbox of its own and finds the hidden tests and their runner nowhere."""

from dataclasses import replace

import pytest

from unit.adapters.graders.grading import Bench

pytestmark = pytest.mark.needs_bwrap

MARK = "quetzalcoatl"
HIDDEN = {
    "test_spy.py": f"""import importlib.resources
import pkgutil
import sys
import unittest

import sut
from helpers.values import MARK


class Spy(unittest.TestCase):
    def test_nothing_is_seen(self):
        self.assertEqual(sut.call("spy:look", [MARK[:6], MARK[6:]]), [])

    def test_own_data_is_there(self):
        importlib.reload(sys.modules["helpers.values"])
        self.assertEqual(pkgutil.get_data("helpers", "data.txt"), b"data {MARK}")
        self.assertEqual(importlib.resources.files("helpers").joinpath("data.txt").read_text(), "data {MARK}")

    def test_no_solution_in_this_process(self):
        with self.assertRaises(ImportError):
            import spy
""",
    "helpers/__init__.py": "",
    "helpers/values.py": f"MARK = {MARK!r}\n",
    "helpers/data.txt": f"data {MARK}",
}
IDS = tuple(
    f"test_spy.Spy.{name}"
    for name in ("test_nothing_is_seen", "test_own_data_is_there", "test_no_solution_in_this_process")
)
SPY = r'''
import os


def look(parts):
    """Every place where a text of the tests, or a door to the runner, could be."""
    mark = "".join(parts).encode()
    found = []
    for root in ("/hidden", "/work", "/tmp", "/kit", "/graded", "/home", "/dev/shm", "/run", "/out"):
        for parent, _, names in os.walk(root):
            for name in names:
                path = os.path.join(parent, name)
                try:
                    if os.path.isfile(path) and mark in open(path, "rb").read():
                        found.append(path)
                except OSError:
                    pass
    others = [pid for pid in os.listdir("/proc") if pid.isdigit() and int(pid) != os.getpid()]
    for pid in others:
        command = open(f"/proc/{pid}/cmdline", "rb").read()
        found += [f"{pid} is a runner"] if b"run.py" in command else []
        if mark in command or mark in stdin_of(pid) or mark in memory_of(pid):
            found.append(f"{pid} holds it")
    uids = {os.stat(f"/proc/{pid}").st_uid for pid in others if pid != "1"}
    found += [] if uids <= {os.getuid()} else [f"others' processes: {uids}"]
    if any(mark in f"{k}={v}".encode() for k, v in os.environ.items()):
        found.append("environment")
    return found


def stdin_of(pid):
    try:
        fd = os.open(f"/proc/{pid}/fd/0", os.O_RDONLY | os.O_NONBLOCK)
        return os.read(fd, 1 << 16)
    except OSError:
        return b""


def memory_of(pid):
    held = b""
    try:
        with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for line in maps:
                start, end = (int(text, 16) for text in line.split()[0].split("-"))
                try:
                    memory.seek(start)
                    held += memory.read(end - start)
                except (OSError, ValueError, OverflowError):
                    pass
    except OSError:
        pass
    return held
'''


@pytest.fixture(scope="module")
def bench(sandbox, tmp_path_factory):
    return Bench(sandbox, "", tmp_path_factory.mktemp("bench"), "unittest")


def test_the_solution_finds_no_hidden_test_and_no_door_to_the_runner(bench):
    graded = bench.grade({"spy.py": SPY}, HIDDEN, expected_tests=IDS, level="G3")
    assert graded.grade == "green", (graded.why, graded.report.decode()[-3000:], graded.ended.stderr[-2000:])
    assert graded.level == "G3"


def test_the_spy_does_find_them_at_g2(bench):
    """The same spy in the same sandbox sees mounted data and the runner: the test above can fail. Texts of tests lie nowhere."""
    graded = bench.grade({"spy.py": SPY}, HIDDEN, expected_tests=IDS, level="G2")
    assert graded.grade == "red"
    assert IDS[0] in graded.failed
    said = graded.report.decode()
    assert (
        "/hidden/helpers/data.txt" in said
        and "/hidden/test_spy.py" not in said
        and "/hidden/helpers/values.py" not in said
    )


def test_a_missing_import_of_a_hidden_test_is_the_packs_fault_at_g3(bench):
    hidden = {**HIDDEN, "test_spy.py": "import no_such_module\n"}
    graded = bench.grade({"spy.py": SPY}, hidden, expected_tests=IDS, level="G3")
    assert (graded.grade, graded.solution_caused) == ("none", False)
    assert "no_such_module" in graded.broken


KILLER = "import os, signal\n\n\ndef look(parts):\n    os.kill(os.getppid(), signal.SIGKILL)\n    return []\n"


def test_a_solution_that_kills_what_serves_it_is_red(bench):
    graded = bench.grade({"spy.py": KILLER}, HIDDEN, expected_tests=IDS, level="G3")
    assert (graded.grade, graded.solution_caused, graded.broken) == ("red", True, "")


LIAR = """
class Liar(list):
    def __eq__(self, other):
        return True


def look(parts):
    return Liar(["lie"])
"""


def test_a_value_that_equals_everything_does_not_get_through(bench):
    graded = bench.grade({"spy.py": LIAR}, HIDDEN, expected_tests=IDS, level="G3")
    assert (graded.grade, graded.failed) == ("red", IDS[:1])


UIDS = """import unittest

import sut


class Spy(unittest.TestCase):
    def test_nothing_is_seen(self):
        import os

        uid, namespaces = sut.call("spy:look", [])
        self.assertNotEqual(uid, os.getuid())
        for name in ("pid", "mnt", "net", "ipc"):
            self.assertNotEqual(namespaces[name], os.readlink(f"/proc/self/ns/{name}"))
"""
WHO = """
import os


def look(parts):
    return os.getuid(), {name: os.readlink(f"/proc/self/ns/{name}") for name in ("pid", "mnt", "net", "ipc")}
"""


def test_tests_and_solution_share_neither_user_nor_namespace(bench):
    if bench.sandbox.as_user:
        pytest.skip("an ordinary user has one uid only")
    graded = bench.grade({"spy.py": WHO}, {"test_spy.py": UIDS}, expected_tests=IDS[:1], level="G3")
    assert graded.grade == "green", (graded.why, graded.report.decode()[-3000:])


class Lame:
    """A sandbox in which the solution's side cannot be started."""

    def __init__(self, sandbox):
        self.sandbox, self.hand_over = sandbox, sandbox.hand_over

    def run(self, job, stop=None):
        if job.role == "agent":
            job = replace(job, argv=("/usr/bin/python9", *job.argv[1:]))
        return self.sandbox.run(job, stop)


def test_a_solutions_sandbox_that_does_not_start_is_the_harness_fault(bench):
    bench.sandbox, kept = Lame(bench.sandbox), bench.sandbox
    try:
        graded = bench.grade({"spy.py": LIAR}, HIDDEN, expected_tests=IDS, level="G3")
    finally:
        bench.sandbox = kept
    assert (graded.grade, graded.solution_caused) == ("none", False)
    assert "python9" in graded.broken


GREEDY = """
def look(parts):
    return [len(bytearray(b"x") * (600 << 20))]
"""


def test_a_solution_without_measure_is_red_and_says_so(bench):
    graded = bench.grade({"spy.py": GREEDY}, HIDDEN, expected_tests=IDS, level="G3")
    assert (graded.grade, graded.broken) == ("red", "")
