"""Every gate rule of a bench against its cases: one TOML file a rule in tests/cases/bench, read through the two files."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench_data import FAULTS, bench, trials_of, write
from denominator.faultbench.scoring import score_paths
from denominator.gate.durability import BENCH_RULES
from denominator.records.faults import Applied, Trial
from denominator.records.values import NotMeasured

FOLDER = Path(__file__).parents[3] / "cases" / "bench"
FILES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}
CASES = [(name, case) for name, found in FILES.items() for case in found["case"]]
UNKNOWN = NotMeasured("not taken")
# States are of foreign workspaces: its other kinds are cases of tests/cases/journal.
OF_JOURNALS = ("unknown-bench-state",)


def changes(table: dict[str, Any]) -> dict[str, Any]:
    """Values of a case as a trial holds them."""
    found = {name: UNKNOWN if value == "unknown" else value for name, value in table.items()}
    if "applied" in found:
        found["applied"] = tuple(
            Applied(workspace=one[0], times=one[1], attempt=(one[2:] or [1])[0]) for one in found["applied"]
        )
    return {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}


def trials_in(case: dict[str, Any], plan: Any) -> list[Trial]:
    changed: dict[str, Any] = {name: changes(table) for name, table in case.get("trials", {}).items()}
    changed |= dict.fromkeys(case.get("without", ()))
    found = trials_of(plan, changed)
    found = [replace(one, **changes(case.get("every", {}))) for one in found]
    clean = {f"{one.task_id}#{one.repeat} {one.fault}".strip(): one for one in found if not one.control}
    return found + [replace(clean[name], **changes(table)) for name, table in case.get("again", {}).items()]


@pytest.mark.parametrize(("rule", "case"), CASES, ids=[f"{name}: {case['name']}" for name, case in CASES])
def test_case(rule, case, tmp_path):
    plan = bench(case.get("tasks", ("a", "b")), FAULTS, case.get("repeats", 1), skipped=case.get("skipped", {}).items())
    plan = replace(plan, **{name: tuple(value) for name, value in case.get("bench", {}).items()})
    if "checkpoints" in case:
        plan = replace(plan, runner=replace(plan.runner, checkpoints=tuple(case["checkpoints"])))
    judged = score_paths([write(tmp_path / "bench", plan, trials_in(case, plan))]).judged
    found = [finding for finding in judged.findings if finding.allow_name == rule]
    assert {str(one.severity) for one in found} == {case["expect"]}, [one.what for one in found]
    if "says" in case:
        assert any(case["says"] in one.what for one in found), [one.what for one in found]
    assert (judged.verdict.status == "blocked") == any(one.severity in ("block", "unknown") for one in judged.findings)
    if case["expect"] == "block":
        assert judged.verdict.exit == 1
        assert any(rule in line for line in judged.verdict.lifts)


def test_every_rule_has_cases_of_both_kinds():
    assert set(FILES) == {rule.entry.name for rule in BENCH_RULES}
    for name, found in FILES.items():
        assert found["rule"] == name
        kinds = {case["expect"] == "held" for case in found["case"]}
        assert kinds == {True, False} or name in OF_JOURNALS, name


def test_no_rule_file_is_unlisted():
    package = Path(__import__("denominator").__file__).parent / "gate" / "durability"
    found = {path.stem for path in package.glob("*.py")} - {"__init__", "shape", "verdict", "sentence", "controls"}
    assert found == {rule.entry.name.replace("-", "_") for rule in BENCH_RULES}
