"""The gate's word: findings add up to a status, a rung of the ladder, a sentence, and what would lift it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from denominator.gate.ladder import STOPS, lifts, may_not
from denominator.gate.sentence import allowed, refused
from denominator.gate.shape import Rule
from denominator.gate.waivers import waivers_used
from denominator.records.findings import Finding, Verdict
from denominator.records.judgements import Sheet
from denominator.records.words import Rung, Severity


@dataclass(frozen=True, slots=True)
class Holds:
    """Which rules stop the number, lower it to counts, hide quotient or split, leave what the host did, could not be checked."""

    blockers: tuple[str, ...]
    caps: tuple[str, ...]
    value_hiders: tuple[str, ...]
    no_aggregate: bool
    split_hidden: bool
    over_ceiling: bool = False
    unchecked: tuple[str, ...] = ()


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
        over_ceiling=any(rule.only_host for rule in stopping),
        unchecked=_names(f for f in stopped if by_code[f.code].accuses and by_code[f.code] not in stopping),
    )


def make_verdict(
    sheet: Sheet, findings: tuple[Finding, ...], holds: Holds, rules: Sequence[Rule], performance: frozenset[str]
) -> Verdict:
    """The gate's word on what holds."""
    rung = Rung.REFUSED if holds.blockers else Rung.COUNTS if holds.caps else Rung.RATE
    blocked = rung is Rung.REFUSED
    if blocked:
        named = tuple(f"{one} (cannot be checked)" if one in holds.unchecked else one for one in holds.blockers)
        sentence = refused(named, holds.no_aggregate, holds.split_hidden)
    else:
        sentence = allowed(sheet, rung, waivers_used(findings))
    return Verdict(
        status="blocked" if blocked else "publishable",
        rung=str(rung),
        sentence=sentence,
        may_not=may_not(sheet, rung, holds.split_hidden, findings),
        lifts=lifts(sheet, rung, findings, rules),
        findings=findings,
        withheld=tuple(sorted(performance)) if blocked else (),
        exit=1 if blocked else 0,
    )


def _names(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{f.code} {f.allow_name}" for f in findings))
