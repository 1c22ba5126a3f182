"""The runner `command`: a shell command of the pack, its exit status, its report file."""

import pytest

from unit.adapters.graders.grading import RIGHT, Bench

pytestmark = pytest.mark.needs_bwrap

CHECK = """import os, sys
sys.path.append(os.getcwd())
from sol import f
ok = f(1) == 2
kind = sys.argv[1]
if kind == "junit":
    body = "" if ok else "<failure/>"
    text = f'<testsuite><testcase classname="c" name="adds">{body}</testcase></testsuite>'
if kind == "tap":
    text = f"1..1\\n{'ok' if ok else 'not ok'} 1 - adds\\n"
if kind != "none":
    open(os.environ["REPORT"], "w").write(text)
sys.exit(not ok)
"""


@pytest.fixture(scope="module")
def bench(sandbox, tmp_path_factory):
    return Bench(sandbox, "", tmp_path_factory.mktemp("bench"), "command")


def grade(bench, kind, solution=RIGHT, command="", ids=None, **verify):
    expected = {"junit": ("c::adds",), "tap": ("adds",), "none": ()}[kind] if ids is None else ids
    return bench.grade(
        solution,
        {"check.py": CHECK},
        command=command or f'/usr/bin/python3 -I "$HIDDEN/check.py" {kind}',
        report="" if kind == "none" else kind,
        expected_tests=expected,
        level="G3",
        **verify,
    )


@pytest.mark.parametrize("kind", ["junit", "tap", "none"])
def test_right_is_green_and_wrong_is_red(bench, kind):
    right = grade(bench, kind)
    assert (right.grade, right.level, right.sentinels_expected) == ("green", "G1", 0), right.why
    assert grade(bench, kind, "def f(x):\n    return 0\n").grade == "red"


@pytest.mark.parametrize(
    "command",
    [
        "true",
        "exit 0",
        'ln -s /etc/passwd "$REPORT"',
        'mkfifo "$REPORT"',
        'printf "1..1\\nok 1 - adds\\n" > "$REPORT"; exit 3',
        'head -c 9000000 /dev/zero > "$REPORT"',
        "kill -9 $PPID",
        "kill -9 $$",
    ],
)
def test_a_command_without_a_true_report_is_red(bench, command):
    graded = grade(bench, "tap", command=command)
    assert (graded.grade, graded.broken) == ("red", ""), graded.why


def test_it_runs_in_the_copy_and_the_graded_tree_stays(bench):
    graded = grade(bench, "none", command='[ "$PWD" = /work ] && rm sol.py && ! rm /graded/sol.py && ! touch /hidden/x')
    assert graded.grade == "green", graded.ended.stderr


def test_what_it_leaves_running_does_not_hold_the_grading_up(bench):
    graded = grade(bench, "none", command="sleep 50 & setsid sleep 50 & exit 0")
    assert graded.grade == "green"
    assert graded.ended.wall_ns < 30e9
