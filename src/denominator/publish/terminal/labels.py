"""Labelled rows as a table, and the chain of rules behind one row, as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from denominator.publish.terminal.page import YELLOW, Page
from denominator.records.labelled import LabelledRow, TriedRule, WhyRow
from denominator.records.labels import Evidence

HEAD = ("TASK", "OUTCOME", "WHOSE", "CLASS", "BUCKET", "RULE")
NAMES = ("", "outcome", "whose", "class", "bucket", "rule")
"""What a column is called in the line below, where the page is too narrow for it."""
WIDEST_TASK = 30
GAP = 2


def label_table(page: Page, rows: Sequence[LabelledRow]) -> None:
    """One line a row, with as many columns as the page has room for; below it what is left and what else there is to say.

    A task's name is never cut, for somebody will search for it: a long one has a line of its own.
    """
    lines = [_cells(row) for row in rows]
    widths = [max(len(line[at]) for line in [HEAD, *lines]) for at in range(len(HEAD))]
    widths[0] = min(widths[0], WIDEST_TASK)
    room = _columns(widths, page.width)
    page.item(_line(HEAD, widths, room), 0, 4)
    for line, row in zip(lines, rows, strict=True):
        if len(line[0]) > widths[0]:
            page.item(line[0], 0, 4)
            page.item(_line(line[1:], widths[1:], room - 1), widths[0] + GAP, 4)
        else:
            page.item(_line(line, widths, room), 0, 4)
        left = [f"{name} {cell}" for name, cell in zip(NAMES[room:], line[room:], strict=True) if cell != "-"]
        for more in _more(row, left):
            page.item(more, 4, 2, YELLOW if row.read_it else "")


def _columns(widths: Sequence[int], width: int) -> int:
    """How many columns fit side by side; the task always does."""
    room, used = 1, widths[0]
    for wide in widths[1:]:
        used += GAP + wide
        if used > width:
            break
        room += 1
    return room


def _line(cells: Sequence[str], widths: Sequence[int], room: int) -> str:
    """Cells in their columns."""
    return (" " * GAP).join(f"{cell:<{wide}}" for cell, wide in zip(cells[:room], widths, strict=False)).rstrip()


def _cells(row: LabelledRow) -> tuple[str, ...]:
    place = row.task_id if (row.repeat, row.attempt) == (1, 1) else f"{row.task_id} r{row.repeat} a{row.attempt}"
    return (place, row.outcome or "-", row.origin or "-", row.failure_class or "-", row.mix or "-", row.by or "-")


def _more(row: LabelledRow, left: Iterable[str]) -> Iterable[str]:
    named = (("reason", row.reason), ("tags", ", ".join(row.tags)), ("control", _control(row)), ("from", row.where))
    told = [*left, *(f"{name} {text}" for name, text in named if text)]
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
        for name, texts in (("hint", row.hints), ("only words, no evidence", row.words)):
            for text in texts:
                page.item(f"{name}: {text.stream} at byte {text.offset}: {text.quote}", 0, 4)
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
