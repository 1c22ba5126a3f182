"""Something that speaks of results could not be looked into: an image, a page without text, a PDF without the extra `pdf`.

Why it matters: a check that passes over a picture of a table looks like a check of the table.

Bad: a screenshot of a score board. Good: the numbers as text with their tags.
Fix: write the numbers as text; install the extra `pdf` for PDF files.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.quote.shape import Rule, Said, Sheet
from denominator.quote.words import EVAL, RATE
from denominator.records.words import Severity

WHOLE = ("document", "page")


def check(sheet: Sheet) -> Iterable[Said]:
    """What the reader left unread: whole pages are unknown, images whose words speak of results a note."""
    for one in sheet.document.unread:
        words = f"{one.about} {one.context}".replace("-", " ").replace("_", " ")
        if one.what not in WHOLE and not (EVAL.search(words) or RATE.search(words) or "%" in words):
            continue
        yield Said(
            subject=one.what,
            what=f"not checked: {one.about}" if one.about else "not checked",
            fix="write the numbers as text",
            line=one.line,
            column=1 if one.line else 0,
            last=one.line,
            place=one.place,
            context=one.about,
            severity=Severity.UNKNOWN if one.what in WHOLE else Severity.NOTE,
        )


RULE = Rule(Entry("Q011", "not-checked", "0.1.0", "quote", __doc__ or ""), check)
