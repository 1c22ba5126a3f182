"""An audit of one run as text: how it was read, what is printed and what the rows say of it, endings, the sentence."""

from __future__ import annotations

import sys

from denominator.publish.terminal.audit_lines import MEANT, MOST, PAINT, first, folded, number, quoted, says
from denominator.publish.terminal.audit_runs import several
from denominator.publish.terminal.findings import GROUPS, finding_line
from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.records.audits import Audit, AuditedRun, EndingLine, PublishedLine, Says
from denominator.records.values import counted


def add_audit(page: Page, audit: Audit, brief: bool = False, every: bool = False, kept: str = "") -> None:
    """The document, long lists folded unless `every`; with `brief` the verdict, what is printed, and the sentence.

    `kept` is the folder that it was kept in.
    """
    page.item(f"{audit.format}: {audit.title}", 0)
    page.item(f"because {audit.why}", 0)
    most = sys.maxsize if every else MOST
    if audit.run is not None:
        _run(page, audit, audit.run, brief, most)
        if kept:
            page.title("KEPT")
            page.item(f"{kept}: the ledger, terms, card and audit.json; next: denominator card {kept}")
    else:
        several(page, audit, brief, most, kept)


def _run(page: Page, audit: Audit, run: AuditedRun, brief: bool, most: int) -> None:
    verdict = run.verdict
    page.item(f"run {run.run_id or run.name or 'without id'}, manifest {run.digest[:12]}", 0)
    page.item(f"{verdict.status.upper()} ({verdict.rung})", 0, paint=RED if verdict.exit else GREEN)
    if not brief:
        _read(page, audit, most)
    _counts(page, run)
    _published(page, run.published, most)
    if not brief:
        _endings(page, run.endings)
        _unknown(page, run)
        told = [f"{one.kind}{'' if one.blocks else ' (a note)'}: {one.what} [{one.where}]" for one in run.defects]
        page.bullets("DEFECTS", first(told, most))
    _findings(page, run)
    page.title("THE SENTENCE")
    page.item(verdict.sentence, hang=0)
    if not brief:
        page.bullets("YOU MAY NOT", verdict.may_not)
        page.bullets("WHAT WOULD LIFT IT", verdict.lifts)
        page.title("WORDS")
        page.item(MEANT)


def _read(page: Page, audit: Audit, most: int) -> None:
    page.title("READ")
    for line in first([f"{name}: {role}" for name, role in audit.files.items()], most):
        page.item(line)
    for note in audit.notes:
        page.item(note)


def _counts(page: Page, run: AuditedRun) -> None:
    page.title("THE ROWS")
    page.item(f"{'passes':<17} {number(run.passes)}", hang=18)
    for one in run.counts:
        page.item(f"{one.name:<17} {number(one.n)}", hang=18)


def _published(page: Page, lines: tuple[PublishedLine, ...], most: int) -> None:
    page.title("PUBLISHED (the source's words, no result of ours)")
    told, lists = [one for one in lines if not one.counted], [one for one in lines if one.counted]
    if not told:
        page.item("nothing that is read")
    _shown(page, told, "number", "printed", most)
    if lists:
        page.title("COUNTED IN ITS LISTS (by us: the source prints no such number)")
        _shown(page, lists, "list", "counted", most)


def _shown(page: Page, lines: list[PublishedLine], what: str, done: str, most: int) -> None:
    shown = [one for one in lines if not _is_aside(one)]
    for one in shown[:most]:
        of = f" of {one.of}" if one.of else ""
        place = f" [{one.where}]" if one.where else ""
        page.item(f"{one.metric}{of}: {one.printed if one.counted else quoted(one)}{place}")
        page.item(f"{says(one)}: {one.what}", 4, paint=PAINT.get(one.says, ""))
    if len(shown) > most:
        page.item(folded(len(shown) - most))
    if aside := len(lines) - len(shown):
        more = counted(aside, f"more {what}" if shown else what)
        page.item(f"{more} {'is' if aside == 1 else 'are'} {done} and not held against the rows (--json lists them)")


def _is_aside(one: PublishedLine) -> bool:
    """Tokens, errors of means, costs: numbers that are of no count of rows."""
    return one.says is Says.UNCHECKED and one.role in ("other", "cost")


def _endings(page: Page, lines: tuple[EndingLine, ...]) -> None:
    if not lines:
        return
    page.title("ENDINGS (the format's word: what we make of it, how many attempts)")
    for one in lines:
        made = ", ".join(part for part in (one.outcome, one.origin, one.reason) if part) or "no verdict"
        by = " by the source's word alone" if one.judged else ""
        page.item(f"{one.n:>6}  {one.word or 'unknown'}: {made}{by}", hang=8)


def _unknown(page: Page, run: AuditedRun) -> None:
    page.title("CONDITIONS")
    for by in ("recorded", "declared", "derived"):
        names = [name for name, who in run.conditions.items() if who == by]
        if names:
            page.packed(by, sorted(names))
    for name, why in run.unknown.items():
        page.item(f"unknown   {name}: {why}", hang=10, paint=YELLOW)
    if run.missing:
        page.item(f"not stated, and needed: {', '.join(run.missing)}", hang=2, paint=YELLOW)


def _findings(page: Page, run: AuditedRun) -> None:
    for severity, title, paint in GROUPS:
        found = [one for one in run.verdict.findings if one.severity == severity]
        if found and severity != "note":
            page.title(title)
            for one in found:
                page.item(finding_line(one), hang=6, paint=paint)
