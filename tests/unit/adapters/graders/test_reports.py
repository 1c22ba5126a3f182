"""JUnit XML and TAP: what is strict, and that nothing hostile gets further than an error."""

from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.graders.reports import ReportError, read_junit, read_report, read_tap


def suite(body, attributes=""):
    return f"<testsuites><testsuite {attributes}>{body}</testsuite></testsuites>".encode()


def test_junit_words():
    body = (
        '<testcase classname="m.C" name="a"/><testcase name="b"><failure>x</failure></testcase>'
        '<testcase name="c"><error/></testcase><testcase name="d"><skipped/></testcase>'
        '<testcase name="e"><flakyFailure/></testcase><testcase name="f"><system-out>1</system-out></testcase>'
        '<testcase name="g"><skipped/><failure/></testcase>'
    )
    assert dict(read_junit(suite(body, 'failures="2" errors="1"'))) == {
        "m.C::a": "passed",
        "b": "failed",
        "c": "failed",
        "d": "skipped",
        "e": "failed",
        "f": "passed",
        "g": "failed",
    }


BOMB = b'<!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + suite("&b;")
JUNIT_WRONG = {
    "one id twice": (suite('<testcase name="a"/><testcase name="a"><failure/></testcase>'), "stands twice"),
    "an entity": (BOMB, "document type"),
    "an outside file": (b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><testsuite/>', "document type"),
    "no name": (suite('<testcase classname="a"/>'), "no name"),
    "a case in a case": (suite('<testcase name="a"><testcase name="b"/></testcase>'), "inside a testcase"),
    "a failure without a case": (suite('<testcase name="a"/>', 'failures="1"'), "counts 1 failures"),
    "an error without a case": (suite("<error/>", 'errors="1"'), "counts 1 failures"),
    "a count that is none": (suite("", 'failures="many"'), "no count"),
    "another root": (b"<html/>", "root is html"),
    "cut off": (suite('<testcase name="a"/>')[:-5], "no XML"),
    "empty": (b"", "no XML"),
    "too deep": (suite("<p>" * 50 + "</p>" * 50), "elements deep"),
}


@pytest.mark.parametrize("name", JUNIT_WRONG)
def test_junit_strict(name):
    data, why = JUNIT_WRONG[name]
    with pytest.raises(ReportError, match=why):
        read_junit(data)


def test_tap_words():
    text = """TAP version 14
1..6
# a comment
ok 1 - adds # not a directive
not ok 2 - subtracts
  ---
  at: line 3
  ...
    ok 1 - inner
    1..1
ok 3 outer
ok 4 - later # SKIP no network
not ok 5 - someday # TODO
ok
"""
    assert dict(read_tap(text.encode())) == {
        "adds # not a directive": "passed",
        "subtracts": "failed",
        "outer": "passed",
        "later": "skipped",
        "someday": "skipped",
        "6": "passed",
    }


TAP_WRONG = {
    "no plan": ("ok 1 - a\n", "no plan"),
    "two plans": ("1..1\nok 1 - a\n1..1\n", "second plan"),
    "too few": ("1..2\nok 1 - a\n", "2 test points were planned, 1 came"),
    "too many": ("1..1\nok 1 - a\nok 2 - b\n", "1 test points were planned, 2 came"),
    "one id twice": ("1..2\nok 1 - a\nnot ok 2 - a\n", "stands twice"),
    "out of order": ("1..2\nok 2 - a\nok 1 - b\n", "stands where 1 should"),
    "after the plan at the end": ("ok 1 - a\n1..1\nok 2 - b\n", "after the plan"),
    "bail out": ("1..1\nBail out! no disk\n", "Bail out"),
    "prose": ("1..1\nAll tests passed\nok 1\n", "is not TAP"),
    "another version": ("TAP version 12\n1..0\n", "version line"),
    "an open block": ("1..1\nok 1 - a\n  ---\n  x: 1\n", "not closed"),
}


@pytest.mark.parametrize("name", TAP_WRONG)
def test_tap_strict(name):
    text, why = TAP_WRONG[name]
    with pytest.raises(ReportError, match=why):
        read_tap(text.encode())


def test_too_much_and_unknown_kinds_are_refused():
    with pytest.raises(ReportError, match="larger than"):
        read_report("tap", b"#" * (9 << 20))
    with pytest.raises(ReportError, match="no reader"):
        read_report("html", b"")


NAMES = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x2FF, exclude_characters="\x7f\x85\xa0#\\-"), min_size=1, max_size=12
).filter(lambda name: not any(0x80 <= ord(c) < 0xA0 for c in name) and not name[0].isdigit())
RESULTS = st.dictionaries(NAMES, st.sampled_from(["passed", "failed", "skipped"]), max_size=6)
INNER = {"passed": "", "failed": "<failure/>", "skipped": "<skipped/>"}


@given(RESULTS)
def test_junit_round_trip(results):
    body = "".join(f"<testcase name={quoteattr(name)}>{INNER[word]}</testcase>" for name, word in results.items())
    assert dict(read_junit(suite(body))) == results


@given(RESULTS)
def test_tap_round_trip(results):
    shape = {"passed": "ok {} - {}", "failed": "not ok {} - {}", "skipped": "ok {} - {} # SKIP"}
    points = [shape[word].format(number, name) for number, (name, word) in enumerate(results.items(), 1)]
    text = "\n".join([f"1..{len(points)}", *points]) + "\n"
    assert dict(read_tap(text.encode())) == results


@given(st.sampled_from(["junit", "tap"]), st.binary(max_size=100) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_read_or_refused(kind, data):
    try:
        read_report(kind, data)
    except ReportError as error:
        assert str(error)


@pytest.mark.parametrize("kind", ["go-json", "libtest", "jest-json", "pytest-json"])
def test_ids_of_json_reports_can_always_be_written_down(kind):
    half = "\\ud800"
    documents = {
        "go-json": f'{{"Action":"pass","Package":"p","Test":"{half}"}}\n{{"Action":"pass","Package":"p"}}',
        "libtest": f'{{"type":"test","event":"ok","name":"{half}"}}',
        "jest-json": f'{{"testResults":[{{"name":"{half}","status":"passed","assertionResults":[]}}]}}',
        "pytest-json": f'{{"exitcode":0,"tests":[{{"nodeid":"{half}","outcome":"passed"}}]}}',
    }
    try:
        ids = list(read_report(kind, documents[kind].encode()))
    except ReportError as error:
        ids = [str(error)]
    assert "".join(ids).encode()
