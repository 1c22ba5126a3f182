"""`allow RULE: why, who, until` of the envelope: which blocks may be waived, and what a waiver does to one.

A closed list. Everything that makes the number itself undefined is not on it: envelope fields, the balance of the
ledger, conflicting or unreadable rows, violated controls, changed seals, rows that nobody can explain. A waiver is
dated by the seal, never by a clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from denominator.records.findings import Finding, Waiver
from denominator.records.seals import Terms
from denominator.records.words import Severity

WAIVABLE = (
    "torn-tail",
    "inconclusive-control",
    "missing-controls",
    "invalid-rate-above-ceiling",
    "infra-above-ceiling",
    "impossible-percent",
    "undeclared-retries",
    "unknown-reason",
    "mixed-access-classes",
)
LOOSENING = "silent-loosening"
DATE = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")


def problem_of(waiver: Waiver) -> str:
    """Why a waiver cannot be used at all, or nothing."""
    if waiver.rule not in WAIVABLE:
        return f"{waiver.rule!r} names no rule that can be waived"
    if not waiver.why.strip() or not waiver.who.strip():
        return "a waiver says why, and who answers for it"
    return "" if DATE.fullmatch(waiver.until) else "until is no date (YYYY-MM-DD)"


def expired(waiver: Waiver, terms: Terms) -> bool:
    """Was it over when the seal was made? ISO dates compare as text; the day named by `until` still counts."""
    return not terms.sealed_at or terms.sealed_at[:10] > waiver.until


def with_waivers(findings: Iterable[Finding], terms: Terms) -> tuple[Finding, ...]:
    """Blocks of waived rules as notes that carry their waiver. What could not be evaluated is never waived."""
    valid = {one.rule: one for one in terms.allow if not problem_of(one) and not expired(one, terms)}
    return tuple(_waived(finding, valid.get(finding.allow_name)) for finding in findings)


def _waived(finding: Finding, waiver: Waiver | None) -> Finding:
    if waiver is None or finding.severity != Severity.BLOCK:
        return finding
    return replace(finding, severity=str(Severity.NOTE), waiver=waiver)


def waivers_used(findings: Iterable[Finding]) -> str:
    """The sentence's part about waivers and about what is weaker than before with a reason, or nothing."""
    given = tuple(findings)
    used = dict.fromkeys(finding.waiver for finding in given if finding.waiver is not None)
    said = [f"waived: {one.rule} ({one.why}; {one.who}, until {one.until})" for one in used]
    said += [one.what for one in given if one.allow_name == LOOSENING and one.severity == Severity.NOTE]
    return "; ".join(said)
