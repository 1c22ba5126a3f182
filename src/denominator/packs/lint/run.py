"""All rules over one pack."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.packs.lint.material import Material, read_material
from denominator.packs.lint.rules import RULES
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding
from denominator.records.packs import FoundPack

LINT_ENTRIES = tuple(rule.entry for rule in RULES)
_ORDER = {"block": 0, "unknown": 1, "note": 2}


def lint_pack(found: FoundPack, now: str = "") -> tuple[Finding, ...]:
    """Every finding, worst first, then by code, task and place; the same finding once.

    `now` (UTC, ISO 8601) is what an expiry date is held against; without it only the date's form is checked.
    """
    return lint_material(read_material(found, now), RULES)


def lint_material(material: Material, rules: Iterable[Rule]) -> tuple[Finding, ...]:
    """What these rules say of a pack or of foreign cards."""
    findings = {finding: None for rule in rules for finding in _evaluated(rule, material)}
    return tuple(sorted(findings, key=lambda f: (_ORDER.get(f.severity, 0), f.code, f.subject, f.where, f.what)))


def blocking(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that keep a pack from being locked."""
    return tuple(finding for finding in findings if finding.severity == "block")


def _evaluated(rule: Rule, material: Material) -> list[Finding]:
    """A rule that crashes is unknown, and unknown is not a pass."""
    try:
        return list(rule.check(rule, material))
    except Exception as error:  # a rule's own bug must not hide the other rules' findings
        what = f"the rule could not be evaluated: {type(error).__name__}: {error}"
        return [rule.finding(material.pack.id, what, where=material.found.root, fix="report this", severity="unknown")]
