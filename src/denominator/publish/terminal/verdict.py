"""The gate's word as text: status and sentence, each clause with what is to be done, how many rules hold."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.publish.terminal.findings import finding_line
from denominator.publish.terminal.page import Page
from denominator.records.findings import Finding, Verdict


def verdict_page(page: Page, verdict: Verdict, findings: Sequence[Finding], verbose: bool) -> None:
    """The verdict, then what does not hold (or every clause), then how many rules hold."""
    page.item(f"{verdict.status.upper()}: {verdict.sentence}", 0)
    for finding in findings:
        if finding.severity == "held" and not verbose:
            continue
        page.item(f"{finding.severity:<8}{finding_line(finding)}", hang=8)
        if finding.fix and finding.severity != "held":
            page.item(f"next: {finding.fix}", 10, 6)
    rules = {finding.code for finding in findings}
    broken = {finding.code for finding in findings if finding.severity != "held"}
    page.item(f"{len(rules - broken)} of {len(rules)} rules hold", 0)
