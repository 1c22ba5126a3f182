"""Level G3: the solution runs in a process of its own and finds the hidden tests nowhere."""

import pytest

from unit.adapters.graders.grading import Bench

pytestmark = pytest.mark.needs_bwrap

MARK = "quetzalcoatl"
HIDDEN = {
    "test_spy.py": f"""import pkgutil
import unittest

import sut
from helpers.values import MARK


class Spy(unittest.TestCase):
    def test_nothing_is_seen(self):
        self.assertEqual(sut.call("spy:look", [MARK[:6], MARK[6:]]), [])

    def test_own_data_is_there(self):
        self.assertEqual(pkgutil.get_data("helpers", "data.txt"), b"data {MARK}")

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
        # Process 1 is the sandbox's own; for an ordinary user it has our uid. It may be looked into, and holds nothing.
        doors = ("mem", "environ", "maps", "fd/3", "fd/0", "cwd/.", "root/.") if pid != "1" else ()
        runners = sum(b"run.py" in open(f"/proc/{o}/cmdline", "rb").read() for o in others if o != "1")
        found += [] if runners == 1 else [f"{runners} runners to be looked at"]
        for name in doors:
            for mode in (os.O_RDONLY, os.O_RDWR):
                try:
                    os.close(os.open(f"/proc/{pid}/{name}", mode))
                    found.append(f"{pid} {name} opens")
                except OSError:
                    pass
        if mark in command or mark in stdin_of(pid) or mark in memory_of(pid):
            found.append(f"{pid} holds it")
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
    assert graded.grade == "green", (graded.why, graded.report.decode()[-3000:])
    assert graded.level == "G3"


def test_the_spy_does_find_them_at_g2(bench):
    """The same spy in the same sandbox sees a mounted hidden folder: the test above can fail."""
    graded = bench.grade({"spy.py": SPY}, HIDDEN, expected_tests=IDS, level="G2")
    assert graded.grade == "red"
    assert IDS[0] in graded.failed
    assert "/hidden/test_spy.py" in graded.report.decode()


def test_a_missing_import_of_a_hidden_test_is_the_packs_fault_at_g3(bench):
    hidden = {**HIDDEN, "test_spy.py": "import no_such_module\n"}
    graded = bench.grade({"spy.py": SPY}, hidden, expected_tests=IDS, level="G3")
    assert (graded.grade, graded.solution_caused) == ("none", False)
    assert "no_such_module" in graded.broken


KILLER = "import os, signal\n\n\ndef look(parts):\n    os.kill(os.getppid(), signal.SIGKILL)\n    return []\n"


def test_a_solution_that_kills_the_runner_is_red(bench):
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
