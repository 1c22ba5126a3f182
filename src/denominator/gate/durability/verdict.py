"""The gate's word on a bench: metrics, rules, what is withheld, status, sentence. Pure: the same sheet, the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from denominator.errors import Exit
from denominator.gate.durability.sentence import LIFTS, allowed, may_not, refused
from denominator.gate.durability.shape import BenchRule
from denominator.gate.ladder import STOPS
from denominator.gate.shape import Said, as_finding
from denominator.gate.withhold import printable
from denominator.records.durability import BenchSheet, JudgedBench
from denominator.records.findings import Finding, Verdict
from denominator.records.words import Rung, Severity

SILENT = Said(Severity.NOTE, "gate", "not said while the bench is blocked: it would tell what came out")


def judge_bench(sheet: BenchSheet, rules: Sequence[BenchRule], performance: frozenset[str]) -> JudgedBench:
    """Findings, then what they leave of the estimates. `sheet` holds its controls and estimates already.

    `performance` names the metrics that are withheld when something blocks.
    """
    findings = _findings(sheet, rules)
    blockers = _names(one for one in findings if one.severity in STOPS)
    capping = {rule.entry.code for rule in rules if rule.caps}
    caps = _names(one for one in findings if one.severity == Severity.NOTE and one.code in capping)
    shown = printable(sheet.estimates, performance, blockers, caps)
    rung = Rung.REFUSED if blockers else Rung.COUNTS if caps else Rung.RATE
    lower = replace(sheet, estimates=shown)
    stopping = {rule.entry.code for rule in rules if rule.stops}
    unknown = any(one.severity in STOPS and one.code in stopping for one in findings)
    verdict = Verdict(
        status="blocked" if blockers else "publishable",
        rung=str(rung),
        sentence=refused(blockers, sheet.controls) if blockers else allowed(lower, rung),
        may_not=may_not(rung),
        lifts=_lifts(findings, capping, rung),
        findings=findings,
        withheld=tuple(sorted(performance)) if blockers else (),
        exit=int(Exit.UNKNOWN_STATE if unknown else Exit.BLOCKED if blockers else Exit.DONE),
    )
    return JudgedBench(sheet=sheet, estimates=shown, findings=findings, verdict=verdict, withheld=bool(blockers))


def _findings(sheet: BenchSheet, rules: Sequence[BenchRule]) -> tuple[Finding, ...]:
    """What every rule says; a rule that tells what came out is silent when another one blocks."""
    found = {rule.entry.code: tuple(_asked(rule, sheet)) for rule in rules}
    if any(one.severity in STOPS for said in found.values() for one in said):
        found |= {rule.entry.code: (as_finding(rule.entry, SILENT),) for rule in rules if rule.tells}
    return tuple(one for rule in rules for one in found[rule.entry.code])


def _asked(rule: BenchRule, sheet: BenchSheet) -> Iterable[Finding]:
    """A rule that crashes is unknown, and unknown never passes."""
    try:
        said = tuple(rule.check(sheet))
    except Exception as error:
        what = f"the rule could not be evaluated: {type(error).__name__}"
        said = (Said(Severity.UNKNOWN, "gate", what, "", "this is a bug of ours: report the rule and the rows"),)
    return tuple(as_finding(rule.entry, one) for one in said or (Said(Severity.HELD, "all", rule.held),))


def _lifts(findings: Iterable[Finding], capping: set[str], rung: Rung) -> tuple[str, ...]:
    lines = [
        f"{one.code} {one.allow_name}: {one.fix}"
        for one in findings
        if one.fix and (one.severity in STOPS or (one.severity == Severity.NOTE and one.code in capping))
    ]
    return tuple(dict.fromkeys((*lines, *(LIFTS if rung is Rung.RATE else ()))))


def _names(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{one.code} {one.allow_name}" for one in findings))
