"""Collecting spans: text with the places of its characters, and what is common to all formats."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from denominator.records.documents import Definition, Document, Mark, Span, SpanKind, Unread

BREAK = "\x1e"
"""Ends a sentence where the text has no mark for it."""
CAPTION = re.compile(r"\W{0,4}(?:table|tab\.|chart|figure|fig\.|source)\b", re.IGNORECASE)
SLIP_TARGET = re.compile(
    r"(?:^|/)slips/(?P<id>[0-9a-f]{8,64})(?:\.(?:md|json|html))?(?P<metric>#[\w@.\-]+)?$", re.ASCII
)


def slip_of_link(target: str) -> str:
    """` slip:ID` of a link to the file of a slip; "" of any other link."""
    found = SLIP_TARGET.search(target.strip())
    return f" slip:{found['id']}{found['metric'] or ''}" if found else ""


class Flow:
    """Text of one span as it grows."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.marks: list[Mark] = []
        self.length = 0

    def add(self, text: str, line: int = 0, column: int = 0) -> None:
        """Text that stands at a place of the file, character for character."""
        if text and line:
            last = self.marks[-1] if self.marks else None
            if last is None or last.line != line or last.column + self.length - last.at != column:
                self.marks.append(Mark(self.length, line, column))
        self.parts.append(text)
        self.length += len(text)

    def span(self, kind: str = SpanKind.PROSE) -> Span:
        """What was collected; the flow is empty then."""
        made = Span(text="".join(self.parts), kind=kind, marks=tuple(self.marks))
        self.parts, self.marks, self.length = [], [], 0
        return made


class Draft:
    """A document as it grows: spans with the numbers of their blocks and tables."""

    def __init__(self, form: str) -> None:
        self.form = form
        self.spans: list[Span] = []
        self.skipped: Counter[str] = Counter()
        self.unread: list[Unread] = []
        self.definitions: list[Definition] = []
        self.audience = ""
        self.block = 0
        self.tables = 0

    def next_block(self) -> int:
        """The number of a new block."""
        self.block += 1
        return self.block

    def put(self, span: Span) -> None:
        """Keep a span that holds anything to read."""
        if span.text.strip(" \t\n\r\x1e"):
            self.spans.append(span)

    def made(self) -> Document:
        """The document. A comment that stands alone belongs to the block behind it."""
        return Document(
            form=self.form,
            spans=tuple(self.spans),
            skipped=dict(self.skipped),
            unread=tuple(self.unread),
            audience=self.audience,
            definitions=tuple(self.definitions),
        )


def captioned(span: Span, table: int) -> Span:
    """A span as the caption of a table or chart."""
    return replace(span, kind=SpanKind.CAPTION, table=table)
