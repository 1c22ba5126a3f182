"""Controls and findings of a card: what stops the number first, what holds last and short."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.records.cards import Card
from denominator.records.findings import Finding

GROUPS = (("block", "BLOCKS", RED), ("unknown", "UNKNOWN (blocks too)", RED), ("note", "NOTES", YELLOW))


def controls(page: Page, card: Card) -> None:
    """Every control with its state."""
    page.title("CONTROLS")
    for line in card.controls:
        paint = GREEN if line.state == "held" else RED
        name = f"{line.name} {line.task_id}".strip()
        page.item(f"{line.state:<12} {name}{f': {line.why}' if line.why else ''}", hang=13, paint=paint)
    if not card.controls:
        page.item("none", paint=YELLOW)


def findings(page: Page, card: Card) -> None:
    """Blocks, unknowns, notes; the rules that hold by code."""
    for severity, title, paint in GROUPS:
        found = [finding for finding in card.verdict.findings if finding.severity == severity]
        if found:
            page.title(title)
            for finding in found:
                page.item(finding_line(finding), hang=6, paint=paint)
    codes = {finding.code for finding in card.verdict.findings}
    held = codes - {finding.code for finding in card.verdict.findings if finding.severity != "held"}
    page.title(f"HELD ({len(held)} of {len(codes)} rules)")
    page.item(code_ranges(held) or "nothing")
    for finding in card.verdict.findings:
        if finding.severity == "held" and finding.subject != "all":
            page.item(finding_line(finding), hang=6)
    page.bullets("ALSO", card.notes)


def finding_line(finding: Finding) -> str:
    """`CODE name: subject: what`, with its place and its waiver; a subject that the rest names is not said twice."""
    said = finding.subject in finding.what or finding.subject in finding.allow_name
    what = finding.what if said or finding.severity == "held" else f"{finding.subject}: {finding.what}"
    place = f" [{finding.where}]" if finding.where else ""
    waiver = finding.waiver
    waived = f" (waived: {waiver.why}; {waiver.who}, until {waiver.until})" if waiver else ""
    return f"{finding.code} {finding.allow_name}: {what}{place}{waived}"


def code_ranges(codes: Iterable[str]) -> str:
    """`GL003-GL006, GL008`: neighbours by number together."""
    runs: list[list[str]] = []
    for code in sorted(codes):
        if runs and _follows(runs[-1][-1], code):
            runs[-1].append(code)
        else:
            runs.append([code])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _follows(before: str, code: str) -> bool:
    """GL004 follows GL003; codes of two families never follow each other."""
    pairs = [(one.rstrip("0123456789"), one[len(one.rstrip("0123456789")) :]) for one in (before, code)]
    return pairs[0][0] == pairs[1][0] and int(pairs[1][1]) == int(pairs[0][1]) + 1
