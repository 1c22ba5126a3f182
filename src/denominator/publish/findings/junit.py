"""Findings and rows as JUnit XML: one test case a rule, or one a draw.

A rule that holds or only notes something is a passed case; a block is a failure, unknown is an error. A row that failed
by the model's doing is a failure with its label as type, one that infrastructure or the harness ended is an error, a
flaky test or a control that could not be judged is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.publish.findings.shape import About, Case, head, ordered, whole
from denominator.records.findings import Finding
from denominator.wire.junit import Suite, junit_xml

STATE = {"block": "failure", "note": "passed", "held": "passed"}
"""What a case is after the worst that its rule said; anything else, unknown before all, is an error."""


def write_junit(findings: Iterable[Finding], about: About) -> str:
    """One test case a rule, the worst that it said first."""
    by_code: dict[str, list[Finding]] = {}
    for finding in ordered(findings):
        by_code.setdefault(finding.code, []).append(finding)
    return junit_of([_of_rule(by_code[code], about) for code in sorted(by_code)], about)


def _of_rule(said: Sequence[Finding], about: About) -> Case:
    state = STATE.get(said[0].severity, "error" if about.stops(said[0]) else "skipped")
    text = "\n".join(f"{one.severity}: {whole(one)}{f' [{one.where}]' if one.where else ''}" for one in said)
    return Case(group=said[0].allow_name, name=head(said[0]), state=state, kind=said[0].severity, text=text)


def junit_of(cases: Sequence[Case], about: About) -> str:
    """A document with one suite, well-formed whatever characters the texts have."""
    prefix = ".".join(part for part in ("denominator", about.verb) if part)
    more = (("status", about.status), ("said", about.said), ("version", about.version))
    return junit_xml([Suite(f"{about.verb} {about.subject}".strip(), prefix, cases)], (*about.named(), *more))
