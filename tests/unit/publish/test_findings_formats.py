"""Findings in every format: nothing lost, nothing added, and no text that breaks what it is written into."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.catalog import Entry
from denominator.publish.findings import FORMATS, About, Case, junit_of, write, write_summary
from denominator.publish.findings.github import MOST
from denominator.publish.findings.sarif import MOST as SARIF_MOST
from denominator.publish.findings.shape import place_of
from denominator.records.findings import Finding, Waiver

WAIVER = Waiver(rule="torn-tail", why="a smoke test", who="the lead", until="2026-12-31")
ABOUT = About(
    verb="gate",
    subject="run-1",
    status="blocked",
    said="Refused: no rate.",
    version="0.1.0",
    seal="a" * 64,
    pack="b" * 64,
    exit=1,
    entries=(Entry("GL001", "one", "0.1.0", "gate", "What it is.\n\nWhy it matters: because."),),
)


def finding(code="GL001", severity="block", what="something", **over):
    made = {"code": code, "allow_name": "one", "severity": severity, "subject": "rows", "what": what} | over
    return Finding(**made)


GIVEN = (
    finding("GL003", "held", "all is well"),
    finding("GL002", "note", "read this", waiver=WAIVER),
    finding("GL001", "block", "100% wrong,\nreally: yes", where="src/a, b.py:12", fix="mend it"),
    finding("GL004", "unknown", "nobody knows"),
)


def test_github_escapes_what_commands_read():
    lines = write(GIVEN, "github", ABOUT).splitlines()
    assert lines[0] == (
        "::error file=src/a%2C b.py,line=12,title=GL001 one::rows: 100%25 wrong,%0Areally: yes Next: mend it"
    )
    assert lines[1].startswith("::error title=GL004 one::")
    assert lines[2] == ("::warning title=GL002 one::rows: read this (waived: a smoke test; the lead, until 2026-12-31)")
    assert lines[3] == "::notice title=gate run-1::Refused: no rate."
    assert len(lines) == 4, "what holds is no annotation"


def test_github_shows_ten_of_each_and_counts_the_rest():
    many = [finding(what=f"e{n}") for n in range(13)] + [finding(severity="note", what=f"n{n}") for n in range(12)]
    lines = write([*reversed(many)], "github", ABOUT).splitlines()
    assert sum(line.startswith("::error") for line in lines) == MOST
    assert sum(line.startswith("::warning") for line in lines) == MOST
    assert "::notice title=not all are shown::5 more below" in lines
    assert sum(line.startswith(("block ", "note ")) for line in lines) == 5


def test_the_summary_is_cut_with_a_line_that_says_so():
    many = [finding(what=f"e{n} " + "x" * 200) for n in range(100)]
    whole, cut = write_summary(many, ABOUT), write_summary(many, ABOUT, 5000)
    assert whole.count("**block**") == 100
    assert "Cut here" not in whole
    assert len(cut.encode()) <= 5000
    shown = cut.count("**block**")
    assert f"Cut here: {100 - shown} more do not fit" in cut
    assert write_summary(many, ABOUT, 10) == ""


def test_the_summary_shows_foreign_text_as_text():
    text = write_summary([finding(what="<img src=x> [link](http://x) `code` **bold**")], ABOUT)
    assert "<img" not in text
    assert "[link](" not in text
    assert r"\*\*bold\*\*" in text


def test_junit_has_one_case_a_rule():
    suite = ET.fromstring(write(GIVEN, "junit", ABOUT))[0]
    assert suite.attrib["tests"] == "4"
    assert (suite.attrib["failures"], suite.attrib["errors"], suite.attrib["skipped"]) == ("1", "1", "0")
    properties = {one.attrib["name"]: one.attrib["value"] for one in suite.iter("property")}
    assert properties["seal_digest"] == "a" * 64
    assert properties["pack_digest"] == "b" * 64
    by_name = {case.attrib["name"]: [child.tag for child in case] for case in suite.iter("testcase")}
    assert by_name == {
        "GL001 one": ["failure"], "GL002 one": ["system-out"], "GL003 one": ["system-out"], "GL004 one": ["error"],
    }  # fmt: skip


def test_junit_of_rows_says_whose_failure_it_was():
    cases = [
        Case(group="solvable", name="a", state="passed"),
        Case(group="solvable", name="b", state="failure", kind="SCORER_RED", text="red", place="rows.jsonl:2"),
        Case(group="solvable", name="c", state="error", kind="INFRA", text="disk full"),
        Case(group="solvable", name="d", state="skipped", kind="FLAKY_TEST", text="flaky"),
    ]
    suite = ET.fromstring(junit_of(cases, ABOUT))[0]
    assert [len(case) for case in suite.iter("testcase")] == [0, 1, 1, 1]
    failure = suite.find(".//failure")
    assert failure is not None
    assert (failure.attrib["type"], failure.attrib["message"]) == ("SCORER_RED", "red")
    assert suite.find(".//skipped") is not None


def test_sarif_has_what_the_standard_demands():
    document = json.loads(write(GIVEN, "sarif", ABOUT))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["GL001", "GL002", "GL003", "GL004"]
    assert run["tool"]["driver"]["rules"][0]["help"]["text"].startswith("What it is.")
    assert [(one["ruleId"], one["level"]) for one in run["results"]] == [
        ("GL001", "error"), ("GL004", "error"), ("GL002", "note"),
    ]  # fmt: skip
    for one in run["results"]:
        assert rules[one["ruleIndex"]] == one["ruleId"]
        assert one["message"]["text"]
        assert one["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "rows"
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "src/a%2C%20b.py"}, "region": {"startLine": 12}}
    assert run["properties"]["held"] == ["GL003"]
    assert run["invocations"][0]["executionSuccessful"] is True


def test_sarif_counts_what_it_leaves_out():
    many = [finding(what=f"e{n}") for n in range(SARIF_MOST + 3)]
    (run,) = json.loads(write(many, "sarif", ABOUT))["runs"]
    assert len(run["results"]) == SARIF_MOST
    said = [one["message"]["text"] for one in run["invocations"][0]["toolExecutionNotifications"]]
    assert said[-1] == f"3 results more than {SARIF_MOST} are not in this file"


def test_json_has_everything_in_order():
    document = json.loads(write(GIVEN, "json", ABOUT))
    assert document["counts"] == {"block": 1, "unknown": 1, "note": 1, "held": 1}
    assert [one["code"] for one in document["findings"]] == ["GL001", "GL004", "GL002", "GL003"]
    assert (document["exit"], document["seal_digest"]) == (1, "a" * 64)


def test_text_has_what_does_not_hold():
    text = write(GIVEN, "text", ABOUT)
    assert text.splitlines()[0] == "BLOCKED: Refused: no rate."
    assert text.splitlines()[-1] == "1 of 4 rules hold"
    assert "all is well" not in text


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ("rows.jsonl:12", ("rows.jsonl", 12)),
        ("a b/c:d.py:3", ("a b/c:d.py", 3)),
        ("allow[0]", None),
        ("http://127.0.0.1:8080", None),
        ("rows.jsonl:0", None),
        ("", None),
        (":3", None),
    ],
)
def test_a_place_is_a_file_and_a_line(where, place):
    assert place_of(where) == place


ANY = st.text(st.characters(codec=None), max_size=40)
FINDINGS = st.lists(
    st.builds(
        Finding,
        code=st.sampled_from(["GL001", "GL002"]),
        allow_name=st.just("one"),
        severity=st.sampled_from(["block", "unknown", "note", "held"]),
        subject=ANY,
        what=ANY,
        where=ANY,
        fix=ANY,
    ),
    max_size=6,
)
HARMLESS = re.compile(r"::(error|warning|notice) [^\n]*::")


@given(FINDINGS, ANY)
def test_no_text_breaks_a_format(findings, said):
    about = About(verb="gate", subject=said, status=said, said=said, seal=said)
    for format_ in FORMATS:
        text = write(findings, format_, about)
        assert text.endswith("\n")
        assert "\x1b" not in text
        text.encode()
    ET.fromstring(write(findings, "junit", about))
    assert len(json.loads(write(findings, "sarif", about))["runs"]) == 1
    assert len(json.loads(write(findings, "json", about))["findings"]) == len(findings)
    for line in write(findings, "github", about).splitlines():
        assert HARMLESS.match(line) or line.startswith(("block ", "unknown ", "note "))
        assert "##[" not in line
    write_summary(findings, about).encode()
