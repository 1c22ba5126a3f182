"""What a report can hold that is not what it seems: entities, wrong encodings, forged lines, huge files, cut ends."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Iterator

import pytest

from denominator.readers.runners import RunnerInput, RunnerReading, read_ending
from denominator.readers.runners.expected import normal
from denominator.readers.runners.registry import FORMATS, sniff
from denominator.records.words import RunnerEnding as E
from denominator.wire.canonical import canonical


def junit(body: str, status: int = 0, **more: object) -> RunnerReading:
    return read_ending(RunnerInput(exit=status, reports=(body.encode(),), **more))  # type: ignore[arg-type]


GOOD = '<testsuite><testcase classname="m.T" name="a"/><testcase classname="m.T" name="b[x/y.z]"/></testsuite>'
IDS = ("m.T::a", "m.T::b[x/y.z]")


def test_the_honest_report_is_a_pass() -> None:
    found = junit(GOOD, expected=IDS)
    assert found.ending == E.PASSED and found.ids.passed == IDS and found.format == "junit"


@pytest.mark.parametrize(
    "body",
    [
        '<!DOCTYPE t [<!ENTITY a "b">]>' + GOOD,
        '<!DOCTYPE testsuite SYSTEM "file:///etc/passwd">' + GOOD,
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
        + GOOD.replace("name=", 'x="&b;" name='),
        "<html>" + GOOD + "</html>",
        "<testsuite>" * 80 + "</testsuite>" * 80,
        GOOD.replace("/>", "><testcase name='c'/></testcase>", 1),
    ],
)
def test_documents_that_are_not_believed_at_all(body: str) -> None:
    found = junit(body, expected=IDS)
    assert found.ending == E.INCOMPLETE and found.ids.passed == () and found.ids.missing == IDS


@pytest.mark.parametrize(
    "body",
    [
        GOOD.replace("<testsuite>", '<testsuite failures="1">'),
        GOOD.replace("<testsuite>", '<testsuite errors="1">'),
        GOOD.replace("<testsuite>", '<testsuite tests="3">'),
        GOOD.replace("<testsuite>", '<testsuite failures="many">'),
        f'<testsuites tests="3">{GOOD}</testsuites>',
        GOOD.replace('name="a"', 'name=""'),
        GOOD[:-3],
        GOOD + "trailing",
        GOOD + GOOD,
    ],
)
def test_documents_that_contradict_themselves_are_incomplete(body: str) -> None:
    assert junit(body, expected=IDS).ending == E.INCOMPLETE


def test_nested_suites_escapes_and_two_results_of_one_id() -> None:
    nested = f"<testsuites><testsuite><testsuite>{GOOD}</testsuite></testsuite></testsuites>"
    assert junit(nested, expected=IDS).ending == E.PASSED
    named = '<testsuite><testcase name="&lt;a &amp; &quot;b&quot;&gt;&#10;"/></testsuite>'
    assert junit(named, expected=('<a & "b">\n',)).ending == E.PASSED
    twice = GOOD.replace("</testsuite>", '<testcase classname="m.T" name="a"><failure/></testcase></testsuite>')
    for status, ending in ((0, E.INCOMPLETE), (1, E.ASSERTION_FAILED)):
        found = junit(twice, status, expected=IDS)
        assert found.ending == ending and found.ids.flaky == ("m.T::a",) and "m.T::a" in found.ids.failed


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "utf-8-sig"])
def test_encodings(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?><testsuite><testcase name="café"/></testsuite>'
    found = read_ending(RunnerInput(exit=0, reports=(text.encode(encoding),), expected=("café",)))
    assert found.ending == E.PASSED, found


def test_one_stray_byte_or_nul_loses_no_report() -> None:
    body = b'<testsuite><testcase name="a"><system-out>caf\xe9( \x00\x1b[31m \xff</system-out></testcase></testsuite>'
    assert read_ending(RunnerInput(exit=0, reports=(body,), expected=("a",))).ending == E.PASSED
    odd = b'<testsuite><testcase name="a\xe9"/></testsuite>'
    assert read_ending(RunnerInput(exit=0, reports=(odd,), expected=("a\u00e9",))).ending == E.INCOMPLETE
    wrong = b'<?xml version="1.0" encoding="no-such-thing"?><testsuite><testcase name="a"/></testsuite>'
    assert read_ending(RunnerInput(exit=0, reports=(wrong,), expected=("a",))).ending == E.INCOMPLETE


@pytest.mark.parametrize(
    ("tap", "status", "ending"),
    [
        ("TAP version 13\n1..2\nok 1 - a\nok 2 - b\n", 0, E.PASSED),
        ("ok 1 - a\nok 2 - b\n1..2\n", 0, E.PASSED),
        ("1..2\nok - a\n  ---\n  not ok: x\n  ...\nok - b # time=3ms\n", 0, E.PASSED),
        ("1..5\nok 1 - a\nok 2 - b\n", 0, E.INCOMPLETE),
        ("ok 1 - a\nok 2 - b\n", 0, E.INCOMPLETE),
        ("1..2\nok 1 - a\nBail out! no database\n", 1, E.INCOMPLETE),
        ("1..2\nok 1 - a\nok 2 - b\nok 3 - c\n", 0, E.INCOMPLETE),
        ("1..2\nok 1 - a\nok 3 - b\n", 0, E.INCOMPLETE),
        ("1..2\n1..2\nok 1 - a\nok 2 - b\n", 0, E.INCOMPLETE),
        ("1..2\nok 1 - a\n  ---\n  x\nok 2 - b\n", 0, E.INCOMPLETE),
        ("1..2\nok 1 - a\nnot ok 2 - b\n", 1, E.ASSERTION_FAILED),
        ("1..2\nok 1 - a\nnot ok 2 - b\n", 0, E.DISAGREES),
        ("1..2\nok 1 - a # SKIP no\nok 2 - b # skip\n", 0, E.ALL_SKIPPED),
        ("1..2\nnot ok 1 - a # TODO\nnot ok 2 - b # todo later\n", 0, E.ALL_XFAILED),
        ("1..2\nok 1 - a # TODO\nok 2 - b\n", 0, E.INCOMPLETE),
        ("1..0 # SKIP nothing here\n", 0, E.NOTHING_RAN),
        ("    ok 1 - a\n    ok 2 - b\n    1..2\n", 0, E.INCOMPLETE),
        ("1..1\n    1..3\n    ok 1 - x\nok 1 - a\n", 0, E.INCOMPLETE),
    ],
)
def test_tap(tap: str, status: int, ending: E) -> None:
    given = RunnerInput(exit=status, reports=(tap.encode(),), format="tap", expected=("a", "b"))
    assert read_ending(given).ending == ending, read_ending(given)


def test_a_parent_that_fails_alone_is_a_failure_of_its_own() -> None:
    tap = b"TAP version 14\n    1..1\n    ok 1 - child\nnot ok 1 - parent\n1..1\n"
    found = read_ending(RunnerInput(exit=1, reports=(tap,)))
    assert (
        found.ending == E.ASSERTION_FAILED
        and found.ids.failed == ("parent",)
        and found.ids.passed == ("parent > child",)
    )


def test_go_events_that_lie() -> None:
    def event(**fields: str) -> str:
        return json.dumps({"Time": "t", "Package": "p", **fields}) + "\n"

    run, ok = event(Action="run", Test="TestA"), event(Action="pass", Test="TestA")
    end = event(Action="pass")
    said = event(Action="output", Test="TestA", Output="FAIL\tp [build failed]\n")

    def go(text: str, status: int = 0) -> E:
        return read_ending(RunnerInput(exit=status, reports=(text.encode(),), expected=("p::TestA",))).ending

    assert go(run + ok + end) == E.PASSED
    assert go(run + said + ok + end) == E.PASSED
    assert go(run + ok) == E.INCOMPLETE
    assert go(run + end) == E.INCOMPLETE
    assert go(run + ok + end[:-9]) == E.INCOMPLETE
    assert go(run + ok + event(Action="fail"), 1) == E.WORKER_CRASHED
    assert go(run + ok + event(Action="fail")) == E.DISAGREES
    newer = (
        json.dumps({"ImportPath": "p", "Action": "build-output", "Output": "a.go:1:1: undefined: x\n"})
        + "\n" + json.dumps({"ImportPath": "p", "Action": "build-fail"})
        + "\n" + event(Action="fail", FailedBuild="p")
    )  # fmt: skip
    found = read_ending(RunnerInput(exit=1, reports=(newer.encode(),), touched=("a.go",)))
    assert found.ending == E.BUILD_FAILED and found.blames_patch is True


def test_jest_numbers_must_fit() -> None:
    result = {"ancestorTitles": [], "title": "a", "fullName": "a", "status": "passed"}
    document = {
        "numPassedTests": 1,
        "numFailedTests": 0,
        "testResults": [{"name": "/w/a.js", "assertionResults": [result]}],
    }

    def jest(**changes: object) -> E:
        data = json.dumps({**document, **changes}).encode()
        return read_ending(RunnerInput(runner="jest", exit=0, reports=(data,), expected=("a",))).ending

    assert jest() == E.PASSED
    assert jest(numPassedTests=2) == jest(numFailedTests=1) == jest(wasInterrupted=True) == E.INCOMPLETE
    assert jest(testResults="none") == E.INCOMPLETE


def test_several_documents_are_one_report() -> None:
    one = b'<testsuite><testcase classname="A" name="x"/></testsuite>'
    two = b'<testsuite><testcase classname="B" name="x"/></testsuite>'
    given = RunnerInput(runner="maven", exit=0, reports=(one, two), expected=("A::x", "B::x"))
    assert read_ending(given).ending == E.PASSED
    cut = RunnerInput(runner="maven", exit=0, reports=(one, two, two[:-5]), expected=("A::x", "B::x"))
    assert read_ending(cut).ending == E.INCOMPLETE


def test_only_expected_ids_that_match_exactly_one_reported_id_count() -> None:
    assert normal("tests/test_a.py::T::test_b[x/y::z.py]") == "tests.test_a.T.test_b[x/y::z.py]"
    assert normal("/w/t/a.test.js::sum > adds", "/w") == normal("t/a.test.js::sum > adds")
    body = '<testsuite><testcase classname="a.b" name="c"/><testcase classname="a" name="b.c"/></testsuite>'
    assert junit(body, expected=("a/b.py::c",)).ids.missing == ("a/b.py::c",)


def test_ids_that_must_fail_are_no_failures() -> None:
    body = GOOD.replace("</testsuite>", '<testcase name="sentinel"><failure/></testcase></testsuite>')
    given = RunnerInput(exit=1, reports=(body.encode(),), expected=IDS, must_fail=("sentinel",))
    found = read_ending(given)
    assert found.ending == E.PASSED and found.counts.failed == 0 and found.counts.passed == 2
    assert (
        read_ending(RunnerInput(exit=0, reports=(body.encode(),), expected=IDS, must_fail=("sentinel",))).ending
        == E.DISAGREES
    )


def huge(cases: int, text: int) -> Iterator[bytes]:
    yield b"<testsuite>"
    for number in range(cases):
        yield b'<testcase classname="m" name="t%d"><system-out>' % number
        for _ in range(text):
            yield b"x" * 65536
        yield b"</system-out></testcase>"
    yield b"</testsuite>"


def test_a_huge_report_is_read_in_bounded_memory() -> None:
    """Three texts of 13 MB each, in chunks: what is kept is ids, never the text."""
    tracemalloc.start()
    try:
        given = RunnerInput(exit=0, reports=(huge(3, 200),), expected=("m::t0", "m::t1", "m::t2"))
        found = read_ending(given)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.ending == E.PASSED and peak < 4 << 20


def test_more_ids_than_are_read_are_never_a_pass() -> None:
    cases = b"".join(b'<testcase name="t%d"/>' % number for number in range(200_001))
    given = RunnerInput(exit=0, reports=(b"<testsuite>" + cases + b"</testsuite>",), expected=("t1",))
    assert read_ending(given).ending == E.INCOMPLETE


def test_formats_are_found_by_their_bytes() -> None:
    heads = {
        b"\xef\xbb\xbf<?xml": "junit",
        b"TAP version 13": "tap",
        b"noise\n1..3\nok 1": "tap",
        b'{"Time":"x","Action":"run"}': "go-json",
        b"FAIL\tp [build failed]": "go-json",
        b'{"reason":"build-finished"}': "libtest",
        b'{ "type": "suite", "event": "started" }': "libtest",
        b'{"numFailedTestSuites":0}': "jest-json",
        b'{"created": 1, "exitcode": 0}': "pytest-json",
        b'0 0123456789abcdef0123456789abcdef {"kind"': "kit",
        b"all 3 tests passed": "",
    }
    assert {head: sniff(head) for head in heads} == heads
    assert set(heads.values()) - {""} == set(FORMATS)


def test_a_report_in_no_known_format_proves_nothing() -> None:
    for format_ in ("", "made-up"):
        found = read_ending(
            RunnerInput(exit=0, reports=(b"PASSED a\nPASSED b\n2 passed",), format=format_, expected_n=2)
        )
        assert found.ending == E.INCOMPLETE


HALF = "\ud800"
HALVES = {
    "go-json": [{"Action": "run", "Test": HALF}, {"Action": "fail", "Test": HALF}, {"Action": "fail", "Package": HALF}],
    "libtest": [{"type": "test", "event": "failed", "name": HALF, "stdout": HALF}],
    "jest-json": [{"testResults": [{"name": HALF, "message": HALF, "status": "failed", "assertionResults": []}]}],
    "pytest-json": [{"exitcode": 1, "tests": [{"nodeid": HALF, "outcome": "failed", "call": {"longrepr": HALF}}]}],
    "kit": [{"kind": "hello", "runner": HALF}],
}


@pytest.mark.parametrize("format_", HALVES)
def test_half_of_a_surrogate_pair_in_a_report_can_still_be_written_down(format_: str) -> None:
    """Code under test names its tests and prints what it likes: no name of its own choosing may stop the harness."""
    head = "0 00 " if format_ == "kit" else ""
    data = b"".join(f"{head}{json.dumps(one)}\n".encode() for one in HALVES[format_])
    found = read_ending(RunnerInput(exit=1, reports=(data,), format=format_))
    canonical(found)
    assert found.ending != E.PASSED


def jest(*files: dict[str, object]) -> bytes:
    numbers = {"numTotalTests": 0, "numPassedTests": 0, "numFailedTests": 0}
    return json.dumps({**numbers, "testResults": list(files)}).encode()


BAD_FILE = {"status": "failed", "message": "x", "assertionResults": []}


@pytest.mark.parametrize(
    "report",
    [
        jest(*({**BAD_FILE, "name": f"\u00e9{n}"} for n in range(20_000))),
        b"TAP version 14\n1..1\nok 1 - a" + b" " * 500_000 + b"b\n",
    ],
    ids=["jest", "tap"],
)
def test_reports_made_to_keep_the_reader_busy_are_soon_read(report: bytes) -> None:
    started = time.monotonic()
    assert read_ending(RunnerInput(exit=1, reports=(report,))).ending != E.PASSED
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("path", ["", ".", "/"])
def test_a_path_without_a_name_holds_no_module(path: str) -> None:
    text = '<testsuite><testcase name="a"><error message="No module named \'m.n\'"/></testcase></testsuite>'
    found = junit(text, 2, runner="pytest", touched=(path,), baseline_collects=True)
    assert found.ending == E.COLLECTION_ERROR and found.blames_patch is False
