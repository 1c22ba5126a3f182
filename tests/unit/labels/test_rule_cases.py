"""Every label rule against its cases: one TOML file a rule in data/selfcheck/labels, at least one that holds and one near miss."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import denominator
from denominator.labels import FAMILIES, explain_row, label_row
from judging_data import row_of, said, terms

FOLDER = Path(denominator.__file__).parent / "data" / "selfcheck" / "labels"
RULES = [rule for family in FAMILIES for rule in family.rules]
FILES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}
CASES = [(name, case) for name, found in FILES.items() for case in found["case"]]


def tried(case):
    given = terms(**({"origin": "seal"} | case.get("terms", {})))
    imported = {axis: said("t", axis, value) for axis, value in case.get("source_says", {}).items()}
    row = row_of(case["row"])
    return explain_row(row, given, imported), label_row(row, given, imported)


@pytest.mark.parametrize(("name", "case"), CASES, ids=[f"{name}: {case['name']}" for name, case in CASES])
def test_case(name, case):
    asked, labels = tried(case)
    one = next((one for one in asked if one.rule.entry.name == name), None)
    told = [f"{t.rule.entry.name}: {[s.value for s in t.said] or t.why_not}" for t in asked]
    assert (one is not None and bool(one.said)) == case["holds"], told
    if "instead" in case:
        rule = next(rule for rule in RULES if rule.entry.name == name)
        assert [t.rule.entry.name for t in asked if t.axis == rule.axis and t.said] == [case["instead"]], told
    if "says" in case:
        assert case["says"] in (one.said[0].why if one.said else one.why_not), told
    found = {label.axis: label for label in labels if label.axis != "tag"}
    for axis, value in case.get("labels", {}).items():
        assert (found[axis].value if axis in found else "") == value, told
    if case["holds"] and "confidence" in case:
        assert one.said[0].confidence == case["confidence"]


def test_every_rule_has_a_case_where_it_holds_and_a_near_miss():
    for rule in RULES:
        name = rule.entry.name
        assert FILES[name]["rule"] == name
        assert {case["holds"] for case in FILES[name]["case"]} == {True, False}, name


LAST = {"no-verdict": set(), "class-unresolved": set(), "control-unknown": set()}


LAST = {"no-verdict", "class-unresolved", "control-unknown"}
"""Rules that hold for every row that comes to them."""


def test_every_rule_was_asked_about_a_near_miss():
    for rule in RULES:
        misses = [tried(case)[0] for case in FILES[rule.entry.name]["case"] if not case["holds"]]
        asked = any(one.rule == rule and one.why_not for found in misses for one in found)
        assert asked != (rule.entry.name in LAST), rule.entry.name


def test_every_case_file_belongs_to_a_rule():
    assert set(FILES) == {rule.entry.name for rule in RULES}
