"""Findings as plain lines."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.publish.findings.shape import About, found, head, shown, whole
from denominator.records.findings import Finding


def write_text(findings: Iterable[Finding], about: About) -> str:
    """One line a finding, what stops the number first; then how many rules hold."""
    given = tuple(findings)
    broken = {one.code for one in given if one.severity != "held"}
    codes = {one.code for one in given}
    told = flat(f"{about.status.upper()}: {about.said}".strip(": "))
    lines = [told] if told else []
    lines += [line(one) for one in found(given)]
    lines.append(f"{len(codes - broken)} of {len(codes)} rules hold")
    return "\n".join(lines) + "\n"


def line(finding: Finding) -> str:
    """`block GL016 changed-seal: what [where]` on one line."""
    place = f" [{finding.where}]" if finding.where else ""
    return flat(f"{finding.severity} {head(finding)}: {whole(finding)}{place}")


def flat(text: str) -> str:
    """One line, whatever the text holds."""
    return shown(text).replace("\n", "\\u000a")


def counts_line(findings: Iterable[Finding], about: About) -> str:
    """How many stop what was asked for, and how many are to be read."""
    given = tuple(findings)
    stops = sum(map(about.stops, given))
    rest = sum(one.severity != "held" for one in given) - stops
    return f"findings that stop it: {stops}; to be read: {rest}"
