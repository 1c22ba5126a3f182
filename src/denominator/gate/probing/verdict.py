"""The gate's word on a probe for one use: findings, status, sentence, exit. Pure: the same score, the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.errors import Exit
from denominator.gate.ladder import STOPS
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, as_finding
from denominator.records.findings import Finding, Verdict
from denominator.records.probe_results import ProbeScore
from denominator.records.words import Rung, Severity

MAY_NOT = (
    "put endpoints or models in an order",
    "print one percentage over all groups",
    "say anything of reasoning, facts or code",
    "use it as the only control in production, or for regulated data",
)
CAVEAT = "Success means: try further."


def judge_probe(score: ProbeScore, level: Level, rules: Sequence[ProbeRule]) -> Verdict:
    """What a use of this level asks for, clause by clause. Blocked or unknown clauses answer no."""
    asked = [rule for rule in rules if rule.applies(level)]
    findings = tuple(one for rule in asked for one in _asked(rule, score, level))
    blockers = tuple(dict.fromkeys(f"{one.code} {one.allow_name}" for one in findings if one.severity in STOPS))
    return Verdict(
        status="blocked" if blockers else "publishable",
        rung=str(Rung.REFUSED if blockers else Rung.COUNTS),
        sentence=_sentence(score, level, blockers),
        may_not=MAY_NOT,
        lifts=_lifts(findings),
        findings=findings,
        exit=int(Exit.BLOCKED if blockers else Exit.DONE),
    )


def _asked(rule: ProbeRule, score: ProbeScore, level: Level) -> Iterable[Finding]:
    """A rule that crashes is unknown, and unknown never passes."""
    try:
        said = tuple(rule.check(score, level))
    except Exception as error:
        what = f"the rule could not be evaluated: {type(error).__name__}"
        said = (Said(Severity.UNKNOWN, "gate", what, "", "this is a bug of ours: report the rule and the score"),)
    return tuple(as_finding(rule.entry, one) for one in said or (Said(Severity.HELD, "all", rule.held),))


def _sentence(score: ProbeScore, level: Level, blockers: Sequence[str]) -> str:
    if blockers:
        return f"Not for {level}: blocked by {', '.join(blockers)}."
    return f"{there(level)} {'; '.join(score.sentences)}. {CAVEAT}"


def there(level: Level) -> str:
    """What is said of a probe that a use lets through, before its sentences."""
    return f"Everything that {level} asks for is there."


def _lifts(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            f"{one.code} {one.allow_name}: {one.fix}" for one in findings if one.fix and one.severity in STOPS
        )
    )
