"""The decision: only a whole, true and agreeing report is green; only the harness's own faults leave the denominator."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.graders.decide import decide
from unit.adapters.graders.making import GOOD, HELLO, LOADING, end, ended, expect, line, lines, raw, test, whole


def grade(report, expectation=None, **how):
    return decide(expectation or expect(), ended(report, **how))


def test_the_one_green_report():
    decision = grade(whole(*GOOD))
    assert (decision.grade, decision.stage, decision.passed) == ("green", "finished", ("a", "b"))
    assert (decision.sentinels_failed, decision.counter_failed, decision.other, decision.missing) == (2, 1, (), ())


def swap(id_, word):
    return [frame if frame["id"] != id_ else test(id_, word) for frame in GOOD]


def drop(id_):
    return [frame for frame in GOOD if frame["id"] != id_]


RED = {
    "an expected test failed": whole(*swap("a", "failed")),
    "an expected test was skipped": whole(*swap("a", "skipped")),
    "an expected test is missing": whole(*drop("a")),
    "failed and passed under one id": whole(*GOOD, test("a", "failed")),
    "passed after it was skipped": whole(test("a", "skipped"), *GOOD),
    "a sentinel did not run": whole(*drop("s")),
    "the counter-test did not run": whole(*drop("c")),
    "status 0 although tests failed": whole(*GOOD, code=0),
    "a module could not be imported": whole({"kind": "error", "where": "x", "why": "x"}, *drop("a")),
    "a wrong solution passes a counter-test": whole(test("a"), test("b", "failed"), test("c"), *GOOD[3:]),
    "nothing ran": whole(),
}
TAMPERED = {
    "a sentinel passed": whole(*swap("s", "passed")),
    "a sentinel was skipped": whole(*swap("s", "skipped")),
    "the counter-test was skipped": whole(*swap("c", "skipped")),
    "a counter-test passed beside all expected": whole(*swap("c", "passed")),
    "an id that nobody expects": whole(*GOOD, test("z")),
    "an id collected that nobody expects": whole({"kind": "collected", "ids": ["z"]}, *GOOD),
    "another secret": lines(HELLO, LOADING) + line(2, test("a"), "cd" * 16),
    "a frame repeated": lines(HELLO, LOADING, test("a")) + line(2, test("b")),
    "a frame left out": lines(HELLO, LOADING) + line(3, test("a")),
    "a frame after the end": whole(*GOOD) + line(8, test("a")),
    "bytes after the end": whole(*GOOD) + b"x",
    "bytes that are no frame": lines(HELLO, LOADING) + b"all passed\n",
    "a second hello": lines(HELLO, LOADING, HELLO),
    "a word of no runner": whole(test("a", "PASSED")),
    "half a surrogate pair": whole(test("\ud800")),
    "too deep": lines(HELLO, LOADING) + raw(2, '{"kind":"end","code":' + "[" * 100_000 + "]" * 100_000 + "}"),
    "a result before loading": lines(HELLO, test("a")),
    "an unknown frame": whole({"kind": "grade", "grade": "green"}),
    "an end that is no status": lines(HELLO, LOADING, {"kind": "end", "code": True}),
}


def test_the_reason_holds_no_control_characters():
    decision = grade(whole(*GOOD, test("\x1b[2Jz\n")))
    assert (decision.grade, decision.why.isprintable()) == ("tampered", True)


@pytest.mark.parametrize("name", RED)
def test_red(name):
    decision = grade(RED[name], exit_code=0 if "status 0" in name else 1)
    assert (decision.grade, decision.broken) == ("red", ""), decision.why


@pytest.mark.parametrize("name", TAMPERED)
def test_tampered(name):
    decision = grade(TAMPERED[name])
    assert (decision.grade, decision.broken) == ("tampered", ""), decision.why


def test_the_process_must_leave_as_the_report_says():
    assert grade(whole(*GOOD), exit_code=0).grade == "tampered"


STARTED = lines(HELLO, LOADING, test("a"), test("b"))
CRASHES = {
    "hello and nothing else": (lines(HELLO), {}),
    "exit 0 in the middle": (STARTED, {"exit_code": 0}),
    "a torn last frame": (STARTED + b"4 ab", {"exit_code": -1, "signal": 11, "killed_by": "self"}),
    "killed by itself": (STARTED, {"exit_code": -1, "signal": 9, "killed_by": "self"}),
    "out of time": (STARTED, {"exit_code": -1, "signal": 9, "killed_by": "budget_wall"}),
    "out of memory": (STARTED, {"exit_code": -1, "signal": 9, "killed_by": "kernel_oom"}),
    "too much output": (STARTED, {"exit_code": -1, "signal": 9, "killed_by": "budget_output"}),
    "killed after the end": (whole(*GOOD), {"exit_code": -1, "signal": 9, "killed_by": "budget_wall"}),
    "it says that it crashed": (lines(HELLO, LOADING, {"kind": "crash", "why": "OSError"}), {"exit_code": 71}),
}


@pytest.mark.parametrize("name", CRASHES)
def test_what_ends_after_hello_is_the_solutions_doing(name):
    report, how = CRASHES[name]
    decision = grade(report, **how)
    assert (decision.grade, decision.solution_caused, decision.broken) == ("red", True, ""), decision.why


BROKEN_BEFORE = lines(HELLO, {"kind": "broken", "why": "SyntaxError"})
BROKEN_LATER = lines(HELLO, LOADING, {"kind": "broken", "why": "ImportError"}, end(1))
FAULTS = {
    "it never started": (b"", {"start_error": "no such file"}),
    "nothing was said": (b"", {"exit_code": 127}),
    "nothing was said in time": (b"", {"exit_code": -1, "signal": 9, "killed_by": "budget_wall"}),
    "hidden tests that do not compile": (BROKEN_BEFORE, {"exit_code": 70}),
    "the harness stopped it": (STARTED, {"exit_code": -1, "signal": 15, "killed_by": "harness_stop"}),
}


@pytest.mark.parametrize("name", FAULTS)
def test_only_the_harness_own_faults_leave_the_denominator(name):
    report, how = FAULTS[name]
    decision = grade(report, **how)
    assert decision.grade == "none"
    assert decision.broken == decision.why != ""
    assert not decision.solution_caused


def test_a_broken_hidden_test_counts_late_only_where_no_solution_is_in_the_process():
    assert grade(BROKEN_LATER).grade == "red"
    assert grade(BROKEN_LATER, expect(level="G3")).grade == "none"


def test_a_task_without_expected_tests_is_never_green():
    assert grade(whole(*GOOD[2:]), expect(expected=())).grade == "none"


def command(data, code, ids=("x::a",), kind="junit"):
    frame = {"kind": "report", "format": kind, "data": base64.b64encode(data).decode()}
    return decide(
        expect(expected=ids, counter=(), sentinels=(), level="G1"),
        ended(lines(HELLO, LOADING, frame, end(code)), exit_code=code),
    )


PASSING = b'<testsuite><testcase classname="x" name="a"/></testsuite>'


def test_a_command_is_read_by_its_report_and_its_status():
    assert command(PASSING, 0).grade == "green"
    assert command(PASSING, 1).grade == "red"
    assert command(b"", 0).grade == "red"
    assert command(b"1..1\nok 1 - a\n", 0, ids=("a",), kind="tap").grade == "green"
    assert command(PASSING.replace(b"/><", b"><failure/></testcase><"), 0).grade == "red"
    assert command(PASSING, 0, ids=("x::a", "x::b")).missing == ("x::b",)
    assert command(PASSING.replace(b'name="a"/>', b'name="a"/><testcase name="q"/>'), 0).grade == "tampered"


def test_a_command_without_ids_or_report_is_its_exit_code():
    expectation = expect(expected=(), counter=(), sentinels=(), level="G1", exit_code_only=True)
    assert decide(expectation, ended(lines(HELLO, LOADING, end(0)), exit_code=0)).grade == "green"
    assert decide(expectation, ended(lines(HELLO, LOADING, end(3)), exit_code=3)).grade == "red"
    assert decide(expectation, ended(lines(HELLO, LOADING), exit_code=0)).grade == "red"


WORDS = st.sampled_from(["passed", "failed", "skipped"])
FRAMES = st.lists(st.tuples(st.sampled_from("abcstz"), WORDS).map(lambda pair: test(*pair)), max_size=8)


@given(FRAMES, st.sampled_from([0, 1]), st.sampled_from([0, 1]))
def test_green_means_exactly_what_it_says(frames, code, exit_code):
    decision = grade(whole(*frames, code=code), exit_code=exit_code)
    words = {}
    for frame in frames:
        words.setdefault(frame["id"], set()).add(frame["word"])
    right = {"a": {"passed"}, "b": {"passed"}, "c": {"failed"}, "s": {"failed"}, "t": {"failed"}}
    must_fail = all("failed" in words.get(id_, ()) for id_ in "cst")
    expected = (
        words.keys() == right.keys()
        and all(words[i] == {"passed"} for i in "ab")
        and must_fail
        and code == exit_code == 1
    )
    assert (decision.grade == "green") == expected
    assert decision.grade != "none"


@given(st.binary(max_size=300), st.integers(0, 400))
def test_no_bytes_of_a_stranger_turn_a_report_green(noise, cut):
    good = whole(*GOOD)
    for report in (lines(HELLO, LOADING) + noise, good[:cut] + noise, noise):
        if report != good:
            assert grade(report).grade != "green"
