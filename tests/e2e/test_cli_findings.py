"""Findings of imports and packs in the formats of other tools, and the house's clauses on foreign rows."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

from e2e.runs import FOUR

CLAUSES = [
    {"name": "floor", "metric": "headline", "why": "as of last year", "at_least": "0.5"},
    {"name": "lost", "metric": "unscoreable_rate", "why": "w", "of": "numerator", "at_most": "1"},
]


def rows(folder, outcomes, clauses=(), name="rows"):
    """A file of outcomes and its manifest."""
    root = folder / name
    root.mkdir()
    lines = []
    for number, outcome in enumerate(outcomes):
        row = {"task_id": f"t{number:02}", "outcome": outcome}
        lines.append(json.dumps(row | ({"reason": "env_flake"} if outcome == "unscoreable" else {})))
    (root / "rows.jsonl").write_text("\n".join(lines) + "\n")
    manifest = {
        "claim_id": "c",
        "task_count": len(outcomes),
        "invalid_rate_ceiling": "0.9",
        "infra_rate_ceiling": "0.9",
    }
    if clauses:
        manifest["house_clauses"] = list(clauses)
    (root / "manifest.json").write_text(json.dumps(manifest))
    return root


MIXED = ["pass"] * 7 + ["fail"] * 2 + ["unscoreable"]


def clause_findings(said):
    return {one["subject"]: one for one in said.json["card"]["verdict"]["findings"] if one["code"] == "GL071"}


def test_clauses_of_a_manifest_are_held_against_foreign_rows(here, cli):
    said = cli("import", "rows", rows(here, MIXED, CLAUSES), "--json")
    assert said.code == 0
    found = clause_findings(said)
    assert {one["severity"] for one in found.values()} == {"held"}
    assert (
        "floor: value of headline at least 0.5 (as of last year): holds, it is 0.700000"
        in found["clause floor"]["what"]
    )


def test_a_clause_that_fails_blocks_and_says_no_number(here, cli):
    high = [{**CLAUSES[0], "at_least": "0.71", "why": "they had 70 %"}, CLAUSES[1]]
    said = cli("import", "rows", rows(here, MIXED, high), "-o", "kept", "--json")
    assert said.code == 1
    found = clause_findings(said)
    assert (found["clause floor"]["severity"], found["clause lost"]["severity"]) == ("block", "held")
    for form in ("text", "json", "github", "junit", "sarif"):
        told = cli("gate", "kept", "--format", form)
        assert told.code == 1
        assert "GL071" in told.out
        assert not any(number in told.out for number in ("0.700000", "70 %", "7/10", "7 of 10")), form


def test_a_clause_that_cannot_be_read_is_not_left_out(here, cli):
    said = cli("import", "rows", rows(here, MIXED, [{"name": "floor", "metrics": "headline"}]), "--json")
    assert said.code == 1
    assert "house_clauses[0]" in said.out


@pytest.mark.parametrize("form", ["github", "junit", "sarif", "json", "text"])
def test_pack_lint_speaks_every_format(form, here, cli):
    said = cli("pack", "lint", FOUR, "--format", form)
    broken = here / "broken"
    broken.mkdir()
    for path in FOUR.rglob("*"):
        to = broken / path.relative_to(FOUR)
        to.mkdir(parents=True, exist_ok=True) if path.is_dir() else to.write_bytes(path.read_bytes())
    task = next((broken / "tasks").glob("*/task.toml"))
    task.write_text(task.read_text().replace("license = ", 'license = ""  # '))
    bad = cli("pack", "lint", "broken", "--format", form)
    assert (said.code, bad.code) == (0, 1)
    if form == "junit":
        assert int(ET.fromstring(bad.out)[0].attrib["failures"]) >= 1
    if form == "sarif":
        assert json.loads(bad.out)["runs"][0]["results"][0]["level"] == "error"
    if form == "github":
        place = task.relative_to(here)
        assert bad.out.startswith("::error file=") and str(place) in bad.out.splitlines()[0]
        assert "::error " not in said.out, "what is not evaluated before the lock stops nothing"


def test_rows_as_test_cases_say_whose_failure_it_was(here, cli):
    assert cli("import", "rows", rows(here, MIXED), "-o", "kept", "--json").code == 0
    suite = ET.fromstring(cli("labels", "kept", "--format", "junit").out)[0]
    assert (suite.attrib["tests"], suite.attrib["failures"], suite.attrib["errors"]) == ("10", "2", "1")
    error = suite.find(".//error")
    assert error is not None and error.attrib["type"] == "INFRA", (
        "a flake of the environment is no failure of the model's"
    )
    assert cli("labels", "kept", "--format", "junit", "--to-read").code == 2


def test_with_a_violated_control_no_report_of_tests_tells_how_many_passed(here, cli):
    folder = rows(here, MIXED)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest |= {"controls": [{"task_id": "t00", "expected": "fail", "role": "must_fail"}]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert cli("import", "rows", folder, "-o", "kept", "--json").code == 1
    suite = ET.fromstring(cli("labels", "kept", "--format", "junit").out)[0]
    states = {case.attrib["name"]: [one.tag for one in case] for case in suite.iter("testcase")}
    assert states["t00"] == ["failure"]
    assert all(states[f"t{n:02}"] == ["skipped"] for n in range(1, 9))


def test_a_summary_is_added_to_what_the_step_has_and_one_that_cannot_be_written_stops_nothing(here, cli, monkeypatch):
    cli("import", "rows", rows(here, MIXED), "-o", "kept", "--json")
    summary = here / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert cli("gate", "kept", "--format", "github").code == 0
    text = summary.read_text()
    assert text.startswith("before\n### denominator gate") and "publishable" in text
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "no" / "such" / "folder"))
    said = cli("gate", "kept", "--format", "github")
    assert said.code == 0 and "cannot be written" in said.err


def sides(here, cli, **second):
    """Two kept imports under the same conditions, but for what is given."""
    base = {"model_id": "m", "temperature": 0, "budget_tokens_per_task": 1000}
    for name, more in (("a", {}), ("b", second)):
        folder = rows(here, MIXED, name=f"rows-{name}")
        manifest = json.loads((folder / "manifest.json").read_text())
        (folder / "manifest.json").write_text(json.dumps(manifest | base | more))
        cli("import", "rows", folder, "-o", name, "--json")
    return "a", "b"


@pytest.mark.parametrize("form", ["github", "junit", "sarif"])
def test_a_comparison_that_is_none_names_its_reasons_and_no_difference(form, here, cli):
    arms = sides(here, cli, temperature=1)
    said = cli("compare", *arms, "--format", form)
    assert said.code == 3
    assert "temperature" in said.out and "compare/not-comparable" in said.out
    assert "0.700000" not in said.out
    if form == "junit":
        cases = {case.attrib["name"]: case for case in ET.fromstring(said.out)[0].iter("testcase")}
        assert cases["compare/not-comparable"].find("failure") is not None
    if form == "sarif":
        assert json.loads(said.out)["runs"][0]["invocations"][0]["exitCode"] == 3


def test_a_rung_that_was_required_and_is_not_reached_is_an_error(here, cli):
    arms = sides(here, cli, operator="somebody else")
    said = cli("compare", *arms, "--equal", "one machine", "--require", "tasks_like_these", "--format", "github")
    assert said.code == 1
    assert "::error title=compare/required::" in said.out
    assert "required tasks_like_these, reached" in said.out
