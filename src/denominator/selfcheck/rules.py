"""Rules of gate and labels: for each a small ledger or row that it must speak of, and a twin of which it must not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from denominator.gate import RULES
from denominator.gate.durability import BENCH_RULES
from denominator.gate.probing import PROBE_RULES
from denominator.judge import judge
from denominator.labels import FAMILIES, explain_row
from denominator.records.findings import Finding
from denominator.records.selfchecks import Found, SelfCheckLine
from denominator.records.words import Severity
from denominator.selfcheck.shipped import rule_cases
from denominator.testing.judged_rows import from_table, row_of, said, terms

GATE, LABELS = "gate rule", "label rule"
NO_CASE = "no case of it ships"
ELSEWHERE = (
    (BENCH_RULES, "it reads the folder of a bench, not rows: faultbench run shows it"),
    (PROBE_RULES, "it reads the answers of an endpoint, not rows: probe gate shows it"),
)


def gate_lines(only: str = "") -> Iterator[SelfCheckLine]:
    """One line a rule of the gate, or of one by its name; those of benches and probes are named and not shown."""
    cases = rule_cases("gate")
    for rule in (rule for rule in RULES if only in ("", rule.entry.name)):
        name = f"{rule.entry.code} {rule.entry.name}"
        mine = cases.get(rule.entry.name, [])
        held = [case for case in mine if case["expect"] == Severity.HELD]
        bad = [case for case in mine if case["expect"] != Severity.HELD]
        yield _line(GATE, name, held, bad, [_gate_fault(rule.entry.name, case) for case in (*held, *bad)])
    for rules, why in ELSEWHERE if not only else ():
        for one in rules:
            entry = one.entry
            yield SelfCheckLine(
                kind=GATE, name=f"{entry.code} {entry.name}", rule=entry.code, twin="", found=Found.NOT_SHOWN, seen=why
            )


def label_lines() -> Iterator[SelfCheckLine]:
    """One line a rule of the labels."""
    cases = rule_cases("labels")
    for rule in (rule for family in FAMILIES for rule in family.rules):
        mine = cases.get(rule.entry.name, [])
        near = [case for case in mine if not case["holds"]]
        bad = [case for case in mine if case["holds"]]
        name = f"{rule.entry.code} {rule.entry.name}"
        yield _line(LABELS, name, near, bad, [_label_fault(rule.entry.name, case) for case in (*near, *bad)])


def _line(
    kind: str, name: str, twins: Sequence[dict[str, Any]], bad: Sequence[dict[str, Any]], faults: Sequence[str]
) -> SelfCheckLine:
    """`faults` are of the twins, then of the bad ones; "" where all is right."""
    of_twins, of_bad = [one for one in faults[: len(twins)] if one], [one for one in faults[len(twins) :] if one]
    twin = twins[0]["name"] if twins else ""
    if not twins or not bad:
        found, seen = Found.NOT_SHOWN, NO_CASE
    elif of_bad:
        found, seen = Found.MISSED, "; ".join(of_bad)
    elif of_twins:
        found, seen = Found.ACCUSED, "; ".join(of_twins)
    else:
        found, seen = Found.CAUGHT, "; ".join(case["name"] for case in bad)
    return SelfCheckLine(kind=kind, name=name, rule=name.partition(" ")[0], twin=twin, found=found, seen=seen)


def _gate_fault(rule: str, case: dict[str, Any]) -> str:
    """What is wrong with what the gate says of a case: this very rule must find what the case expects."""
    judged = judge(*from_table(case))
    mine = [one for one in judged.findings if one.allow_name == rule]
    wrong = _severity(mine) != case["expect"] or not _named(mine, case)
    if not wrong and case["expect"] in (Severity.BLOCK, Severity.UNKNOWN):
        wrong = judged.verdict.status != "blocked" or not any(rule in line for line in judged.verdict.lifts)
    return f"{case['name']}: expected {case['expect']}, it said {_severity(mine) or 'nothing'}" if wrong else ""


def _severity(found: Sequence[Finding]) -> str:
    return "+".join(sorted({str(one.severity) for one in found}))


def _named(found: Sequence[Finding], case: dict[str, Any]) -> bool:
    return "says" not in case or any(case["says"] in one.what for one in found)


def _label_fault(rule: str, case: dict[str, Any]) -> str:
    given = terms(**({"origin": "seal"} | case.get("terms", {})))
    imported = {axis: said("t", axis, value) for axis, value in case.get("source_says", {}).items()}
    asked = explain_row(row_of(case["row"]), given, imported, FAMILIES)
    holds = any(one.said for one in asked if one.rule.entry.name == rule)
    if holds == case["holds"]:
        return ""
    return f"{case['name']}: expected {'it' if case['holds'] else 'it not'} to hold, it did {'' if holds else 'not'}".rstrip()
