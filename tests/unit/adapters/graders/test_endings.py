"""How the runner of a real grading ended, as the `graded` event says it; and JSON reports of a command, graded by id."""

import json

import pytest

from denominator.errors import InputError
from denominator.pipeline.runner_ending import runner_facts
from denominator.records.packs import Task, Verify
from denominator.records.trees import Change, Patch
from denominator.records.values import NotMeasured
from unit.adapters.graders.grading import IDS, RIGHT, Bench

pytestmark = pytest.mark.needs_bwrap
WRONG = "def f(x):\n    return 0\n"
HALF = "def f(x):\n    return 2\n"


def facts(bench, graded, runner=None, touched="sol.py", **verify):
    known = {
        "runner": runner or bench.runner,
        "timeout_s": 9,
        "level": "G2",
        "expected_tests": IDS.get(bench.runner, ()),
    }
    task = Task(
        id="t", title="", slice="solvable", expected="pass", reason="", license="", allowed=("**",),
        verify=Verify(**{**known, **verify}),
    )  # fmt: skip
    change = Change(path=touched, op="modify", kind="file", mode=0o644, size=9, blob="0" * 64)
    return runner_facts(task, Patch(base_tree="", final_tree="", changes=(change,)), graded)


@pytest.fixture(scope="module", params=["unittest", "pytest"])
def bench(request, sandbox, site, tmp_path_factory):
    return Bench(sandbox, site, tmp_path_factory.mktemp("bench"), request.param)


@pytest.mark.parametrize(
    ("solution", "grade", "ending", "passed", "failed"),
    [
        (RIGHT, "green", "passed", 2, 0),
        (HALF, "red", "assertion_failed", 1, 1),
        (WRONG, "red", "assertion_failed", 0, 2),
        ("def f(x) return x\n", "red", "collection_error", 0, 0),
        ("import no_such_module\n", "red", "collection_error", 0, 0),
        ("import os\ndef f(x):\n    os._exit(0)\n", "red", "incomplete", 0, 0),
        ("import os, signal\ndef f(x):\n    os.kill(os.getpid(), signal.SIGKILL)\n", "red", "signal", 0, 0),
    ],
)
def test_endings_of_our_own_runners(bench, solution, grade, ending, passed, failed):
    graded = bench.grade(solution)
    said = facts(bench, graded)
    assert said["runner_ending"] == ending, (said, graded.why)
    assert said["runner"] == bench.runner and said["runner_why"]
    if ending not in ("disagrees", "signal"):
        assert graded.grade == grade
        assert (said["test_counts"]["passed"], said["test_counts"]["failed"]) == (passed, failed)
        assert said["test_counts"]["expected"] == 2


REPORTS = {
    "junit": ('<testsuite><testcase classname="p" name="a"/><testcase name="b">{}</testcase></testsuite>', "<failure/>", ("p::a", "b")),
    "tap": ("1..2\nok 1 - a\n{}ok 2 - b\n", "not ", ("a", "b")),
    "go-json": (
        "".join(json.dumps({"Package": "p", "Test": t, "Action": a}) + "\n" for t, a in (("A", "run"), ("A", "pass"), ("B", "run")))
        + '{{"Package": "p", "Test": "B", "Action": "{}"}}\n{{"Package": "p", "Action": "{}"}}\n'.replace("{{", "{").replace("}}", "}"),
        "fail", ("p::A", "p::B"),
    ),
    "libtest": (
        '{"type": "suite", "event": "started", "test_count": 2}\n{"type": "test", "event": "ok", "name": "a"}\n'
        '{"type": "test", "event": "%s", "name": "b"}\n{"type": "suite", "event": "%s"}\n', "failed", ("a", "b"),
    ),
    "jest-json": (
        '{"numPassedTests": %d, "numFailedTests": %d, "testResults": [{"name": "x.js", "status": "passed", "assertionResults": ['
        '{"title": "a", "status": "passed"}, {"title": "b", "status": "%s"}]}]}', "failed", ("x.js::a", "x.js::b"),
    ),
    "pytest-json": (
        '{"exitcode": %d, "summary": {"total": 2}, "tests": [{"nodeid": "t.py::a", "outcome": "passed"}, '
        '{"nodeid": "t.py::b", "outcome": "%s"}]}', "failed", ("t.py::a", "t.py::b"),
    ),
}  # fmt: skip


def report(kind, good):
    text, bad, _ = REPORTS[kind]
    if kind in ("junit", "tap"):
        return text.replace("{}", "" if good else bad)
    if kind == "go-json":
        return text.replace('"Action": "{}"', f'"Action": "{"pass" if good else bad}"')
    if kind == "libtest":
        return text % ((("ok",) * 2) if good else (bad, bad))
    if kind == "jest-json":
        return text % ((2, 0, "passed") if good else (1, 1, bad))
    return text % ((0, "passed") if good else (1, bad))


@pytest.fixture(scope="module")
def commands(sandbox, tmp_path_factory):
    return Bench(sandbox, "", tmp_path_factory.mktemp("commands"), "command")


def grade(commands, kind, data, status=0, ids=None):
    hidden = {"report": data}
    command = f'cat "$HIDDEN/report" > "$REPORT"; exit {status}'
    expected = REPORTS[kind][2] if ids is None else ids
    return commands.grade(RIGHT, hidden, command=command, report=kind, expected_tests=expected, level="G1")


@pytest.mark.parametrize("kind", REPORTS)
def test_a_command_is_graded_by_the_exact_ids_of_its_report(commands, kind):
    ids = REPORTS[kind][2]
    green = grade(commands, kind, report(kind, True))
    assert (green.grade, green.level, green.passed) == ("green", "G1", ids), green.why
    said = facts(commands, green, expected_tests=ids, report=kind)
    assert said["runner_ending"] == "passed" and said["test_counts"]["passed"] == 2
    red = grade(commands, kind, report(kind, False), 1)
    assert (red.grade, red.failed) == ("red", ids[1:]), red.why
    assert facts(commands, red, expected_tests=ids, report=kind)["runner_ending"] == "assertion_failed"


@pytest.mark.parametrize("kind", REPORTS)
def test_what_does_not_prove_a_pass_is_none(commands, kind):
    ids, good = REPORTS[kind][2], report(kind, True)
    cases = {
        "a status that denies it": grade(commands, kind, good, 3),
        "a report cut short": grade(commands, kind, good[: len(good) * 2 // 3]),
        "an id that was not expected": grade(commands, kind, good, ids=ids[:1]),
        "an id that is not reported": grade(commands, kind, good, ids=(*ids, "more")),
        "another way to write an id": grade(commands, kind, good, ids=(ids[0].replace("::", "."), ids[1] + "x")),
        "noise": grade(commands, kind, "2 passed\n"),
        "nothing": grade(commands, kind, ""),
        "a red report with status 0": grade(commands, kind, report(kind, False)),
    }
    assert {why: graded.grade for why, graded in cases.items() if graded.grade not in ("red", "tampered")} == {}
    for why, graded in cases.items():
        said = facts(commands, graded, expected_tests=ids, report=kind)
        if why not in ("an id that was not expected", "an id that is not reported", "another way to write an id"):
            assert said["runner_ending"] != "passed", why


def test_a_build_that_failed_is_told_from_tests_that_did(commands):
    build = {
        "reason": "compiler-message",
        "message": {"level": "error", "message": "no", "spans": [{"file_name": "sol.py"}]},
    }
    data = json.dumps(build) + "\n" + json.dumps({"reason": "build-finished", "success": False}) + "\n"
    graded = grade(commands, "libtest", data, 101)
    said = facts(commands, graded, expected_tests=("a", "b"), report="libtest")
    assert (graded.grade, said["runner_ending"], said["runner_blames_patch"]) == ("red", "build_failed", True)
    other = facts(commands, graded, touched="README.md", expected_tests=("a", "b"), report="libtest")
    assert other["runner_blames_patch"] is False


def test_a_command_without_a_report_says_nothing_about_its_runner(commands):
    for command, ending in (
        ("true", "unknown"),
        ("exit 3", "unknown"),
        ("no-such-command", "unknown"),
        ("kill -9 $$", "unknown"),
    ):
        graded = commands.grade(RIGHT, {"x": ""}, command=command, level="G1", expected_tests=())
        said = facts(commands, graded, expected_tests=())
        assert said["runner_ending"] == ending, said


def test_an_unknown_report_is_refused_before_anything_runs(commands):
    with pytest.raises(InputError, match="unknown report"):
        commands.grade(RIGHT, {"x": ""}, command="true", report="subunit", expected_tests=("a",))


def test_the_row_gets_what_the_event_says():
    from denominator.ledger.fields import counts

    payload = {"test_counts": {"passed": 2, "failed": 0, "skipped": {"not_measured": "no report"}}}
    found = counts(payload, "test_counts")
    assert (found.passed, found.failed) == (2, 0) and isinstance(found.skipped, NotMeasured)
    assert isinstance(counts({}, "test_counts"), NotMeasured)
