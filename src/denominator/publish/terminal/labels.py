"""Labelled rows as a table, and the chain of rules behind one row, as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from denominator.publish.terminal.page import YELLOW, Page
from denominator.records.labelled import LabelledRow, TriedRule, WhyRow
from denominator.records.labels import Evidence

HEAD = ("TASK", "OUTCOME", "WHOSE", "CLASS", "BUCKET", "RULE")
WIDEST_TASK = 30


def label_table(page: Page, rows: Sequence[LabelledRow]) -> None:
    """One line a row and, where there is more to say, a second one below it."""
    lines = [_cells(row) for row in rows]
    widths = [max(len(line[at]) for line in [HEAD, *lines]) for at in range(len(HEAD) - 1)]
    for line, row in zip([HEAD, *lines], [None, *rows], strict=True):
        page.item("  ".join(f"{cell:<{width}}" for cell, width in zip(line, (*widths, 0), strict=True)).rstrip(), 0, 4)
        if row is not None:
            for more in _more(row):
                page.item(more, 4, 2, YELLOW if row.read_it else "")


def _cells(row: LabelledRow) -> tuple[str, ...]:
    place = row.task_id if (row.repeat, row.attempt) == (1, 1) else f"{row.task_id} r{row.repeat} a{row.attempt}"
    shown = place if len(place) <= WIDEST_TASK else f"{place[: WIDEST_TASK - 1]}~"
    return (shown, row.outcome or "-", row.origin or "-", row.failure_class or "-", row.mix or "-", row.by or "-")


def _more(row: LabelledRow) -> Iterable[str]:
    named = (("reason", row.reason), ("tags", ", ".join(row.tags)), ("control", _control(row)), ("from", row.where))
    told = [f"{name} {text}" for name, text in named if text]
    if row.people:
        told.append("people decided it")
    if told:
        yield "; ".join(told)
    if row.read_it:
        yield f"read it: {row.read_it}: {row.why}"


def _control(row: LabelledRow) -> str:
    return f"{row.control} {row.control_state}".strip() if row.control else ""


def why_page(page: Page, found: Sequence[WhyRow]) -> None:
    """Axis by axis every rule that was asked, the winner with its evidence and what would have changed it."""
    for one in found:
        row = one.row
        page.title(f"{row.task_id} repeat {row.repeat} attempt {row.attempt}")
        for axis, tried in groupby(one.tried, key=lambda rule: rule.axis):
            page.item(f"{axis}:", 0)
            _axis(page, tuple(tried))
        for label in row.labels:
            if label.by.startswith(("person:", "import:", "people@")):
                page.item(f"{label.by} says {label.axis} = {label.value}: {label.why}", 2, 4)


def _axis(page: Page, tried: Sequence[TriedRule]) -> None:
    for rule in tried:
        if rule.won:
            page.item(f"YES  {rule.rule} ({rule.code}): {', '.join(rule.said)}: {rule.why}", 2, 5)
            for evidence in rule.evidence:
                page.item(f"seen: {evidence_text(evidence)}", 7, 6)
            if rule.would_change:
                page.item(f"would change it: {rule.would_change}", 7, 6)
        else:
            page.item(f"no   {rule.rule}: {rule.why}", 2, 5)


def evidence_text(evidence: Evidence) -> str:
    """Where to look and what stands there."""
    place = f"{evidence.kind} {evidence.ref[:16]}".strip()
    if evidence.stream:
        place += f" {evidence.stream} at byte {evidence.offset}"
    return f"{place}: {evidence.quote}" if evidence.quote else place
