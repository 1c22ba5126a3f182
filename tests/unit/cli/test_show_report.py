"""The report of a grading as `show` prints it."""

from __future__ import annotations

import json

from denominator.cli.show import _report

GRADED = [
    {"kind": "promised", "payload": {}},
    {"kind": "graded", "payload": {"expected": ["m.C.test_a", "m.C.test_b"]}},
]


def frames(*said):
    return "".join(f"{n} abcdef {json.dumps(one)}\n" for n, one in enumerate(said))


def test(name, word, why=""):
    return {"kind": "test", "id": name, "word": word, "why": why}


test.__test__ = False  # type: ignore[attr-defined]


def test_tests_are_listed_and_what_must_fail_says_so():
    text = frames(
        {"kind": "hello"},
        test("m.C.test_a", "passed"),
        test("m.C.test_b", "failed", "1 != 2\nmore"),
        test("s.S.t", "failed", "x"),
    )
    assert _report(text, GRADED).splitlines() == [
        "  passed   m.C.test_a",
        "  failed   m.C.test_b",
        "           1 != 2",
        "  failed   s.S.t  (has to fail: counter-test or sentinel)",
    ]


def test_a_report_of_another_shape_stays_as_it_is():
    for text in ("no frames at all", "0 mac {", "0 mac []", "(cannot be shown: gone)", "", frames({"kind": "hello"})):
        assert _report(text, GRADED) == text.rstrip()


def test_what_ended_the_report_is_shown():
    assert '  crash: {"kind": "crash", "why": "killed"}' in _report(frames({"kind": "crash", "why": "killed"}), GRADED)
