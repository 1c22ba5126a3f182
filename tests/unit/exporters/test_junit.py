"""JUnit as a reader of XML sees it."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from denominator.exporters.junit import EXPORTER
from denominator.pipeline.exporting import export
from denominator.records.rows import Failure
from judging_data import own
from unit.exporters.export_lab import run_of, solvable


def read(data: bytes) -> dict[str, dict[str, str]]:
    """What became of each case, by suite; a passed case has no child of these."""
    found: dict[str, dict[str, str]] = {}
    for suite in ET.fromstring(data):
        cases = found.setdefault(suite.attrib["name"], {})
        for case in suite.iter("testcase"):
            states = [one.tag for one in case if one.tag in ("failure", "error", "skipped")]
            cases[case.attrib["name"]] = states[0] if states else "passed"
        for state, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert int(suite.attrib[name]) == sum(one == state for one in cases.values())
        assert int(suite.attrib["tests"]) == len(cases)
    return found


def broken(task: str, cause: str, writer: str, phase: str):
    ended = Failure(seq=1, cause=cause, writer=writer, phase=phase)
    return own(task, "none", first_unrecovered=ended, stop_reason="infra")


def test_every_declared_draw_is_a_case_in_the_state_of_whose_ending_it_was() -> None:
    rows = [
        *solvable(3),
        broken("infra", "evicted", "sandbox", "agent"),
        broken("harness", "grader_error", "verifier", "verify"),
    ]
    found = read(export(run_of(rows, more=("lost",)), EXPORTER))
    assert found == {
        "draws of r1": {
            "t01": "passed", "t02": "passed", "t03": "failure", "infra": "error", "harness": "error", "lost": "error",
        },
        "controls of r1": {"n1": "passed"},
    }  # fmt: skip


def test_a_flaky_test_is_skipped() -> None:
    found = read(export(run_of(solvable(4), flaky_tasks=("t03",)), EXPORTER))
    assert found["draws of r1"]["t03"] == "skipped"


def test_a_violated_control_fails_and_hides_the_others() -> None:
    result = run_of(control="green")
    found = read(export(result, EXPORTER))
    assert found["controls of r1"] == {"n1": "failure"}
    assert set(found["draws of r1"].values()) == {"skipped"}
    assert b"SCORER_RED" not in export(result, EXPORTER)


def test_no_control_is_no_suite() -> None:
    from denominator.pipeline.results import judge_ledger
    from judging_data import ledger, terms

    assert list(read(export(judge_ledger(ledger(solvable(2)), terms()), EXPORTER))) == ["draws of r1"]


def test_texts_are_safe_whatever_they_are() -> None:
    names = ("]]>", "<a&b>", '"x"', "tab\u0009", "\ufffe", "ä\U0001f600")
    found = read(export(run_of([own(name) for name in names]), EXPORTER))
    assert len(found["draws of r1"]) == len(names)


def test_properties_say_of_what_it_speaks() -> None:
    root = ET.fromstring(export(run_of(), EXPORTER))
    told = {one.attrib["name"]: one.attrib["value"] for one in root[0].iter("property")}
    assert told["status"] == "publishable"
    assert told["said"].startswith("made-up: 11 of 16 declared draws")
    assert told["seal_digest"] == "a" * 64
    times = {case.attrib.get("time") for case in root[0].iter("testcase")}
    assert times == {"1.500"}
