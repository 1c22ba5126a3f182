"""Whether a result may be cited, as text: the word, every reason, every missing field, the sentence, what not to write."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.records.citations import Citation, Lack

WORDS = {"citeable": ("CITEABLE", GREEN), "not_citeable": ("NOT CITEABLE", RED), "unchecked": ("UNCHECKED", YELLOW)}


def citation_page(page: Page, found: Citation) -> None:
    """Missing fields row by row, in full: a list that is cut cannot be worked through."""
    word, paint = WORDS[found.status]
    rule = found.evaluated or "a rule in free words: a person must check it"
    page.item(f"{word} under {rule}", 0, paint=paint)
    if found.rule and found.rule != found.evaluated:
        page.item(f"the rule as written: {found.rule}")
    page.bullets("WHY NOT", found.reasons)
    page.bullets("MISSING (row, task: fields)", _by_row(found.lacks))
    page.title("THE SENTENCE YOU MAY SHIP" if found.status == "citeable" else "THE SENTENCE, NOT TO BE CITED")
    page.item(found.sentence, hang=0)
    page.bullets("YOU MAY NOT", found.may_not)


def _by_row(lacks: Iterable[Lack]) -> tuple[str, ...]:
    rows: dict[tuple[str, str], list[str]] = {}
    for lack in lacks:
        rows.setdefault((lack.row or "task card", lack.task), []).append(lack.field)
    return tuple(f"{row}, {task}: {', '.join(fields)}" for (row, task), fields in rows.items())
