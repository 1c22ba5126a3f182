"""Findings in the formats that other tools read: one file a format, for every verb that has findings."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.publish.findings.compared import findings_of
from denominator.publish.findings.document import write_json
from denominator.publish.findings.draws import cases_of
from denominator.publish.findings.github import SUMMARY_BYTES, write_github, write_summary
from denominator.publish.findings.junit import junit_of, write_junit
from denominator.publish.findings.sarif import write_sarif
from denominator.publish.findings.shape import About, Case
from denominator.publish.findings.text import write_text
from denominator.records.findings import Finding

__all__ = ["FORMATS", "SUMMARY_BYTES", "About", "Case", "cases_of", "findings_of", "junit_of", "write", "write_summary"]

WRITERS = {
    "text": write_text,
    "json": write_json,
    "github": write_github,
    "junit": write_junit,
    "sarif": write_sarif,
}
FORMATS = tuple(WRITERS)


def write(findings: Iterable[Finding], format_: str, about: About) -> str:
    """The findings as text of a format, ending with a newline. Severity `held` marks a clause that was evaluated and holds.

    Nothing is added to what the findings say: a number that is withheld in them is in no format.
    """
    return WRITERS[format_](tuple(findings), about)
