"""What the gate says: findings with their fix and the page of their rule, controls with their bound, waivers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from denominator.publish.html.parts import Markup, folded, heading, paragraph, table, text
from denominator.publish.terminal.findings import code_ranges
from denominator.records.cards import could_show_false_pass
from denominator.records.findings import Finding
from denominator.records.reports import GatePage, Report

GROUPS = (("block", "Blocks"), ("unknown", "Unknown, which blocks too"), ("note", "Notes of the gate"))


def findings(report: Report) -> Iterable[str]:
    """What stops the number first; the page of a rule is folded under its finding; rules that hold by code."""
    found = report.card.verdict.findings
    pages = {one.code: one for one in report.pages}
    for severity, title in GROUPS:
        if listed := [one for one in found if one.severity == severity]:
            yield heading(3, title)
            yield from group(listed, pages)
    codes = {one.code for one in found}
    held = codes - {one.code for one in found if one.severity != "held"}
    yield paragraph(f"Held: {len(held)} of {len(codes)} rules: {code_ranges(held) or 'none'}.", "soft")


def group(listed: Sequence[Finding], pages: Mapping[str, GatePage]) -> Iterable[str]:
    """Findings of one severity, each with its fix; the page of a rule stands under its first finding."""
    told: set[str] = set()
    for one in listed:
        yield finding(one, None if one.code in told else pages.get(one.code))
        told.add(one.code)


def finding(one: Finding, page: GatePage | None = None) -> str:
    """One finding."""
    place = f" [{one.where}]" if one.where else ""
    subject = "" if one.subject in one.what or one.subject in ("", "all") else f"{one.subject}: "
    inner = [
        f'<p><span class="word">{text(f"{one.code} {one.allow_name}")}</span> {text(subject + one.what + place)}</p>'
    ]
    if one.fix:
        inner.append(paragraph(f"Fix: {one.fix}"))
    if one.waiver:
        inner.append(paragraph(f"Waived: {one.waiver.why}; {one.waiver.who}, until {one.waiver.until}"))
    if page is not None:
        inner.append(folded(f"The page of {page.code} {page.name}", map(paragraph, _paragraphs(page.text))))
    return f'<div class="finding {text(one.severity)}">{"".join(inner)}</div>'


def _paragraphs(doc: str) -> Iterable[str]:
    return (" ".join(block.split()) for block in doc.strip().split("\n\n"))


def controls(report: Report) -> Iterable[str]:
    """Every control with its state, and what so many of them could have shown."""
    lines = report.card.controls
    if not lines:
        yield paragraph("None was declared.")
        return
    rows = ((one.name, one.task_id, _state(one.state), one.why) for one in lines)
    yield table("Every control and how it came out", ("control", "task", "state", "why"), rows)
    violated, judged = could_show_false_pass(lines)
    bound = next((one for one in report.card.estimates if one.metric == "false_pass_rate"), None)
    told = f"{violated} of {judged} controls that could have shown a false pass were violated"
    if bound is not None and isinstance(bound.hi, str):
        told += f"; that leaves room for a false-pass rate of up to {bound.hi} ({bound.method})"
    yield paragraph(f"{told}.")


def _state(state: str) -> Markup:
    return Markup(f'<span class="word">{text(state)}</span>')


def waivers(report: Report) -> Iterable[str]:
    """What the envelope allows, by whom, until when, used or not."""
    if report.waivers:
        rows = ((one.rule, one.why, one.who, one.until) for one in report.waivers)
        yield table("Printed wherever the number goes", ("rule", "why", "who", "until"), rows)
