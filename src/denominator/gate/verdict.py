"""The gate's word: findings add up to a status, a rung of the ladder, a sentence, and what would lift it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from denominator.gate.sentence import allowed, refused
from denominator.gate.shape import Rule
from denominator.gate.waivers import waivers_used
from denominator.records.findings import Finding, Verdict
from denominator.records.judgements import Sheet
from denominator.records.words import Rung, Severity

STOPS = (Severity.BLOCK, Severity.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Holds:
    """Which rules stop the number, lower the sentence, hide the quotient, hide the split."""

    blockers: tuple[str, ...]
    caps: tuple[str, ...]
    value_hiders: tuple[str, ...]
    no_aggregate: bool
    split_hidden: bool


def holds_of(findings: Iterable[Finding], rules: Sequence[Rule]) -> Holds:
    """Sort the findings by what they do."""
    by_code = {rule.entry.code: rule for rule in rules}
    stopped = [f for f in findings if f.severity in STOPS]
    noted = [f for f in findings if f.severity == Severity.NOTE]
    stopping = [by_code[f.code] for f in stopped if f.severity == Severity.BLOCK]
    return Holds(
        blockers=_names(stopped),
        caps=_names(f for f in noted if by_code[f.code].caps),
        value_hiders=_names(f for f in noted if by_code[f.code].hides_value),
        no_aggregate=any(rule.no_aggregate for rule in stopping),
        split_hidden=any(rule.hides_split for rule in stopping),
    )


def make_verdict(
    sheet: Sheet, findings: tuple[Finding, ...], holds: Holds, rules: Sequence[Rule], performance: frozenset[str]
) -> Verdict:
    """The gate's word on what holds."""
    rung = Rung.REFUSED if holds.blockers else Rung.COUNTS if holds.caps else Rung.RATE
    blocked = rung is Rung.REFUSED
    if blocked:
        sentence = refused(holds.blockers, holds.no_aggregate)
    else:
        sentence = allowed(sheet, rung, waivers_used(findings))
    return Verdict(
        status="blocked" if blocked else "publishable",
        rung=str(rung),
        sentence=sentence,
        may_not=may_not(sheet, rung, holds),
        lifts=lifts(findings, rules),
        findings=findings,
        withheld=tuple(sorted(performance)) if blocked else (),
        exit=1 if blocked else 0,
    )


def may_not(sheet: Sheet, rung: Rung, holds: Holds) -> tuple[str, ...]:
    """What nobody may write, from a fixed list."""
    found = ["compare it with another arm from this card alone", "use it in a contract, an SLA or a price"]
    if rung is Rung.REFUSED:
        found.insert(0, "print a pass rate, a fraction of passes or an interval")
        if holds.split_hidden:
            found.insert(1, "say how many passed or failed")
        return tuple(found)
    found.insert(0, "quote the scoreable or the resolved rate without the headline")
    if rung is Rung.COUNTS:
        found.insert(0, "print a percentage")
    truncated = sheet.estimate("truncation_rate")
    if truncated is not None and isinstance(truncated.numerator, int) and truncated.numerator:
        found.append("call an attempt that time or budget cut a bad patch")
    if any(level != "G3" for level in sheet.terms.grading_levels):
        found.append("say that no solution could have reached its own verdict: some were graded in one process with it")
    elif not sheet.terms.grading_levels:
        found.append("say that no solution could have reached its own verdict: how they were graded is not recorded")
    return tuple(found)


def lifts(findings: Iterable[Finding], rules: Sequence[Rule]) -> tuple[str, ...]:
    """What would have to be done for a higher rung: one line per rule and fix, in the order of the findings."""
    capping = {rule.entry.code for rule in rules if rule.caps}
    lines = [
        f"{f.code} {f.allow_name}: {f.fix}"
        for f in findings
        if f.fix and (f.severity in STOPS or (f.severity == Severity.NOTE and f.code in capping))
    ]
    return tuple(dict.fromkeys(lines))


def _names(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{f.code} {f.allow_name}" for f in findings))
