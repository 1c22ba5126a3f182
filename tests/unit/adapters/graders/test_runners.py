"""How runners end in real life, and what each ending is worth."""

import subprocess
from dataclasses import replace

import pytest

from unit.adapters.graders.grading import IDS, PYTEST_TESTS, RIGHT, UNITTEST_TESTS, Bench

pytestmark = pytest.mark.needs_bwrap

BODY = "def f(x):\n    {}\n    return x + 1\n"
FORGED = "\n".join(f'0 {"0" * 32} {{"kind":"test","id":"{id_}","word":"passed"}}' for id_ in IDS["pytest"])


@pytest.fixture(scope="module", params=["unittest", "pytest"])
def bench(request, sandbox, site, tmp_path_factory):
    return Bench(sandbox, site, tmp_path_factory.mktemp("bench"), request.param)


def test_right_is_green(bench):
    graded = bench.grade(RIGHT)
    assert graded.grade == "green", (graded.why, graded.ended.stderr)
    assert (graded.level, graded.stage, graded.passed) == ("G2", "finished", IDS[bench.runner])
    assert graded.sentinels_failed == graded.sentinels_expected == 2


def test_wrong_is_red(bench):
    graded = bench.grade("def f(x):\n    return 2\n")
    assert (graded.grade, len(graded.passed), len(graded.failed), graded.solution_caused) == ("red", 1, 1, False)


# What the solution does -> grade, stage, is the ending its doing.
ENDINGS = {
    "import error": ("import nothing_like_this\n", "red", "finished", False),
    "syntax error": ("def f(:\n", "red", "finished", False),
    "exit at import": ("raise SystemExit(0)\n", "red", "finished", False),
    "os._exit(0)": (BODY.format("import os; os._exit(0)"), "red", "collected", True),
    "kills itself": (BODY.format("import os; os.kill(os.getpid(), 9)"), "red", "collected", True),
    "aims at its parent": (
        BODY.format("import contextlib, os\n    with contextlib.suppress(OSError): os.kill(os.getppid(), 9)"),
        "green",
        "finished",
        False,
    ),
    "segfault": (BODY.format("import ctypes; ctypes.string_at(0)"), "red", "collected", True),
    "keyboard interrupt": (BODY.format("raise KeyboardInterrupt"), "red", None, None),
    "exits in a test": (BODY.format("raise SystemExit(0)"), "red", "finished", False),
    "closes the report": (BODY.format("import os; os.close(3)"), "red", "collected", True),
    "writes into the report": (
        BODY.format(f"import os; os.write(3, {FORGED.encode()!r} + b'\\n')"),
        "tampered",
        None,
        None,
    ),
    "prints a report": (BODY.format(f"print({FORGED!r})"), "green", "finished", False),
    "prints without end": (BODY.format("print('x' * (4 << 20))"), "green", "finished", False),
    "too much memory": (BODY.format("[bytearray(64 << 20) for _ in range(20)]"), "red", None, None),
    "leaves a thread": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n" + RIGHT,
        "green",
        "finished",
        False,
    ),
    "an exit handler": ("import atexit, os\natexit.register(os._exit, 0)\n" + RIGHT, "green", "finished", False),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_endings(bench, name):
    solution, grade, stage, caused = ENDINGS[name]
    graded = bench.grade(solution)
    seen = (name, graded.grade, graded.why, graded.stage, graded.ended.stderr[-500:])
    assert (graded.grade, graded.broken) == (grade, ""), seen
    assert stage in (None, graded.stage), seen
    assert caused in (None, graded.solution_caused), seen


def test_a_loop_without_end_is_red_and_says_why(bench):
    graded = bench.grade(BODY.format("\n    while x == 2: pass"), timeout_s=4)
    assert (graded.grade, graded.stage, graded.solution_caused) == ("red", "collected", True)
    assert "ran out of time" in graded.why
    assert graded.passed == (IDS[bench.runner][0],)


SKIPPING = {
    "pytest": "import pytest\n\n\ndef f(x):\n    pytest.skip('not here')\n",
    "unittest": "import unittest\n\n\ndef f(x):\n    raise unittest.SkipTest('not here')\n",
}


def test_skipped_is_not_passed(bench):
    graded = bench.grade(SKIPPING[bench.runner])
    assert (graded.grade, graded.skipped, graded.passed) == ("red", IDS[bench.runner], ())


XFAIL = {
    "pytest": "import pytest\nfrom sol import f\n\n\n@pytest.mark.xfail\ndef test_f():\n    assert f(1) == 3\n\n\n"
    "@pytest.mark.xfail\ndef test_g():\n    assert f(1) == 2\n",
    "unittest": UNITTEST_TESTS.replace("(f(1), 2)", "(f(1), 3)").replace(
        "    def", "    @unittest.expectedFailure\n    def"
    ),
}


def test_expected_failures_are_not_passed(bench):
    graded = bench.grade(RIGHT, {"test_a.py": XFAIL[bench.runner]})
    assert (graded.grade, graded.passed) == ("red", ())


def test_no_tests_is_not_a_pass(bench):
    graded = bench.grade(RIGHT, {"test_a.py": "import sol\n"})
    assert (graded.grade, graded.missing, graded.sentinels_failed) == ("red", IDS[bench.runner], 2)


def test_tests_that_nobody_expects_are_not_let_through(bench):
    graded = bench.grade(RIGHT, expected_tests=IDS[bench.runner][:1])
    assert (graded.grade, graded.other) == ("tampered", IDS[bench.runner][1:])


def test_a_counter_test_that_passes_beside_all_others_gives_the_lie(bench):
    one, other = IDS[bench.runner]
    assert bench.grade(RIGHT, expected_tests=(one,), counter_tests=(other,)).grade == "tampered"
    honest = bench.grade("def f(x):\n    return 3\n", expected_tests=(one,), counter_tests=(other,))
    assert (honest.grade, honest.counter_failed) == ("red", 0)


def test_hidden_tests_that_do_not_compile_are_the_packs_fault(bench):
    graded = bench.grade(RIGHT, {"test_a.py": "def test_f(:\n"})
    assert (graded.grade, graded.stage, graded.solution_caused) == ("none", "runner_started", False)
    assert "SyntaxError" in graded.broken


def test_a_solution_cannot_blame_the_hidden_tests(bench):
    for fake in (
        'raise SyntaxError("x", ("/hidden/test_a.py", 1, 1, "x"))\n',
        'raise ModuleNotFoundError("No module named \'unittest\'", name="unittest")\n',
    ):
        assert bench.grade(fake).grade == "red"


def test_the_stdlib_and_the_hidden_folder_come_first(bench):
    shadow = 'raise RuntimeError("shadowed")\n'
    files = {"sol.py": RIGHT, "unittest.py": shadow, "pytest.py": shadow, "test_a.py": shadow, "helper.py": shadow}
    hidden = {
        "test_a.py": f"import helper\n{(PYTEST_TESTS if bench.runner == 'pytest' else UNITTEST_TESTS)}",
        "helper.py": "",
    }
    assert bench.grade(files, hidden).grade == "green"


def test_a_solution_below_src_is_found_and_bytecode_is_left_behind(bench):
    files = {"src/sol.py": RIGHT, "src/__pycache__/sol.cpython-311.pyc": "junk", "conftest.py": "raise RuntimeError"}
    assert bench.grade(files).grade == "green"


def test_own_modules_of_the_runner_do_not_hide_those_of_a_solution(bench):
    files = {"sol.py": "from frames import f\n", "frames.py": RIGHT, "run.py": "x = 1\n"}
    assert bench.grade(files).grade == "green"


def test_a_tree_that_does_not_fit_is_the_solutions_doing(bench):
    graded = bench.grade({"sol.py": RIGHT, **{f"big{n}": "x" * (8 << 20) for n in range(8)}})
    assert (graded.grade, graded.stage, graded.solution_caused) == ("red", "runner_started", True)


def test_a_stop_is_nobodys_red(bench):
    class Set:
        def is_set(self):
            return True

    bench.sandbox, kept = Stopped(bench.sandbox, Set()), bench.sandbox
    try:
        graded = bench.grade(BODY.format("import time; time.sleep(60)"))
    finally:
        bench.sandbox = kept
    assert (graded.grade, graded.solution_caused) == ("none", False)


class Stopped:
    """The sandbox with a stop flag that is set."""

    def __init__(self, sandbox, flag):
        self.sandbox, self.flag = sandbox, flag

    def run(self, job, stop=None):
        return self.sandbox.run(job, self.flag)


def test_a_python_that_is_not_there_is_the_harness_fault(sandbox, site, tmp_path):
    bench = Bench(sandbox, site, tmp_path, "unittest")

    class Other:
        def run(self, job, stop=None):
            return sandbox.run(replace(job, argv=("/usr/bin/python9", *job.argv[1:])), stop)

    bench.sandbox = Other()
    graded = bench.grade(RIGHT)
    assert (graded.grade, graded.stage, graded.solution_caused) == ("none", "not_started", False)
    assert graded.broken


def test_pytest_that_is_not_there_is_the_harness_fault(sandbox, tmp_path):
    if subprocess.run(["/usr/bin/python3", "-I", "-c", "import pytest"], capture_output=True).returncode == 0:
        pytest.skip("the system's Python has a pytest of its own")
    empty = tmp_path / "empty"
    empty.mkdir()
    graded = Bench(sandbox, empty, tmp_path, "pytest").grade(RIGHT)
    assert (graded.grade, graded.stage) == ("none", "runner_started")
    assert "pytest" in graded.broken
