"""Every gate rule against its cases: one TOML file per rule in data/selfcheck/gate, at least one that holds and one that does not."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import denominator
from denominator.gate import RULES
from denominator.judge import judge
from judging_data import from_table

FOLDER = Path(denominator.__file__).parent / "data" / "selfcheck" / "gate"
FILES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}
CASES = [(name, case) for name, found in FILES.items() for case in found["case"]]


@pytest.mark.parametrize(("rule", "case"), CASES, ids=[f"{name}: {case['name']}" for name, case in CASES])
def test_case(rule, case):
    judged = judge(*from_table(case))
    found = [finding for finding in judged.findings if finding.allow_name == rule]
    severities = {str(finding.severity) for finding in found}
    assert severities == {case["expect"]}, [finding.what for finding in found]
    if "says" in case:
        assert any(case["says"] in finding.what for finding in found), [finding.what for finding in found]
    if case["expect"] in ("block", "unknown"):
        assert judged.verdict.status == "blocked"
        assert judged.verdict.exit == 1
        assert any(rule in line for line in judged.verdict.lifts)


def test_every_rule_has_cases_of_both_kinds():
    for rule in RULES:
        name = rule.entry.name
        assert FILES[name]["rule"] == name
        kinds = {case["expect"] == "held" for case in FILES[name]["case"]}
        assert kinds == {True, False}, name


def test_every_case_file_belongs_to_a_rule():
    assert set(FILES) == {rule.entry.name for rule in RULES}
