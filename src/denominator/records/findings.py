"""What gate rules say, and the gate's word."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.labels import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """`allow RULE: why, who, until` of the envelope; printed wherever the number goes."""

    rule: str
    why: str
    who: str
    until: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One result of one rule. Severity `held` = the clause was evaluated and holds; `unknown` never passes."""

    code: str
    allow_name: str
    severity: str
    subject: str
    what: str
    where: str = ""
    fix: str = ""
    evidence: tuple[Evidence, ...] = ()
    waiver: Waiver | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The gate's word: `publishable` or `blocked`, the highest sentence allowed, and what would lift it."""

    status: str
    rung: str
    sentence: str
    may_not: tuple[str, ...] = ()
    lifts: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    withheld: tuple[str, ...] = ()
    exit: int = 0
