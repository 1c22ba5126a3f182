"""HTML: text of blocks, table cells, captions, alt texts, comments. Scripts, styles and preformatted code are counted."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from html.parser import HTMLParser

from denominator.errors import InputError
from denominator.readers.documents.flow import Draft, Flow, slip_of_link
from denominator.readers.documents.inline import BLOCKS
from denominator.records.documents import Document, Span, SpanKind, Unread

PASSED = {"script": "scripts", "style": "styles", "pre": "code blocks", "template": "templates"}
SHOWN = ("alt", "title", "aria-label")
VOID = {"img", "br", "hr", "input", "meta", "link", "wbr", "area", "base", "col", "embed", "source", "track"}
UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
TAG = re.compile(r"(?<![a-z])(?:slip|cmp):", re.IGNORECASE)


def read_html(text: str) -> Document:
    """The spans of an HTML page."""
    draft = Draft("html")
    add_html(text, draft)
    return draft.made()


def add_html(text: str, draft: Draft, first: int = 1) -> None:
    """Spans of HTML whose first line has the number `first`."""
    reader = _Reader(draft)
    reader.lineno = first
    try:
        reader.feed(_closed(text))
        reader.close()
    except (AssertionError, ValueError) as error:
        raise InputError(f"is no HTML that can be read: {str(error)[:200]}") from None
    reader.flush()
    reader.tell(draft.next_block())


def _closed(text: str) -> str:
    """What is open at the end is closed there, as browsers do: else the parser would look for the end again and again."""
    if text.rfind("<!--") > text.rfind("-->"):
        text += "-->"
    return text + ">" if text.rfind("<") > text.rfind(">") else text


class _Reader(HTMLParser):
    """Collects blocks while the parser walks."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(convert_charrefs=False)
        self.draft = draft
        self.flow = Flow()
        self.block = self.draft.next_block()
        self.passed = ""
        self.depth = 0
        self.tables: list[_Table] = []
        self.kind = str(SpanKind.PROSE)
        self.link = ""
        self.waiting: list[Span] = []
        self.unseen, self.within = "", 0
        """The element that nobody sees, and how many of its name are open."""

    def _at(self, more: int = 0) -> tuple[int, int]:
        line, column = self.getpos()
        return line, column + 1 + more

    def flush(self) -> None:
        """End a block: what was collected is a span."""
        span = self.flow.span(self.kind)
        table = self.tables[-1] if self.tables else None
        if span.text.strip():
            if table and self.kind in (SpanKind.CELL, SpanKind.CAPTION):
                span = table.placed(span, self.kind)
            else:
                span = replace(span, block=self.block)
            self.tell(span.block)
            self.draft.put(span)
            if not table:
                self.block = self.draft.next_block()

    def tell(self, block: int) -> None:
        """Comments that stood before a block are of it."""
        for one in self.waiting:
            self.draft.put(replace(one, block=block))
        self.waiting = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Blocks begin, images and links are noted."""
        given = {name: value or "" for name, value in attrs}
        if self.passed:
            self.depth += tag == self.passed
            return
        if tag in PASSED:
            self.flush()
            self.passed, self.depth = tag, 1
            self.draft.skipped[PASSED[tag]] += 1
            return
        if self.unseen:
            self.within += tag == self.unseen
        elif tag not in VOID and ("hidden" in given or UNSEEN.search(given.get("style", ""))):
            self.unseen, self.within = tag, 1
        if tag in BLOCKS:
            self.flush()
            self._open(tag, given)
        self._attributes(tag, given)

    def _open(self, tag: str, given: dict[str, str]) -> None:
        if tag == "table":
            self.draft.tables += 1
            self.tables.append(_Table(self.draft.tables, self.draft.next_block()))
        elif self.tables and tag == "tr":
            self.tables[-1].next_row()
        elif self.tables and tag in ("td", "th"):
            self.tables[-1].next_cell(tag == "th", _spanned(given, "colspan"), _spanned(given, "rowspan"))
            self.kind = SpanKind.CELL
        elif self.tables and tag == "caption":
            self.kind = SpanKind.CAPTION

    def _attributes(self, tag: str, given: dict[str, str]) -> None:
        line, column = self._at()
        if tag == "meta" and given.get("name", "").lower() in ("audience", "quote-audience"):
            self.draft.audience = given.get("content", "").strip().lower()
        if tag == "img":
            source = given.get("src", "").rpartition("/")[2][:200]
            self.draft.unread.append(Unread("image", given.get("alt") or source, line=line, context=source))
        if tag == "a" and "href" in given:
            self.draft.skipped["URLs"] += 1
            self.link = "" if self.unseen else slip_of_link(given["href"])
        for name in SHOWN:
            if given.get(name):
                flow = Flow()
                flow.add(given[name], line, column)
                self.draft.put(replace(flow.span(SpanKind.ALT), block=self.block))

    def handle_endtag(self, tag: str) -> None:
        """Blocks end; a link to a slip is its tag."""
        if self.passed:
            self.depth -= tag == self.passed
            self.passed = self.passed if self.depth > 0 else ""
            return
        if self.unseen:
            self.within -= tag == self.unseen
            self.unseen = self.unseen if self.within > 0 else ""
        if tag == "a" and self.link:
            self.flow.add(f"{self.link} ", *self._at())
            self.link = ""
        if tag in BLOCKS:
            self.flush()
            if tag in ("td", "th", "caption", "table"):
                self.kind = SpanKind.PROSE
            if tag == "table" and self.tables:
                self.tables.pop()

    def handle_data(self, data: str) -> None:
        """Text, line by line."""
        if self.passed:
            return
        if self.unseen and TAG.search(data):
            self.handle_comment(data, 0)
        line, column = self._at()
        for number, part in enumerate(data.split("\n")):
            if number:
                self.flow.add(" ", line + number - 1, column)
                column = 1
            self.flow.add(self._cut(part), line + number, column)

    def _cut(self, text: str) -> str:
        """What nobody sees is looked at for numbers, and cites nothing: no tag is one without its colon."""
        return text.replace(":", ";") if self.unseen else text

    def handle_entityref(self, name: str) -> None:
        """A character by its name."""
        if not self.passed:
            self.flow.add(self._cut(html.unescape(f"&{name};")), *self._at())

    def handle_charref(self, name: str) -> None:
        """A character by its number."""
        if not self.passed:
            self.flow.add(self._cut(html.unescape(f"&#{name};")), *self._at())

    def handle_comment(self, data: str, mark: int = 4) -> None:
        """What readers do not see may hold a suppression, for the block that it stands in or before."""
        flow = Flow()
        line, column = self._at(mark)
        for number, part in enumerate(data.split("\n")):
            flow.add(part + "\n", line + number, column if not number else 1)
        self.waiting.append(flow.span(SpanKind.HIDDEN))
        if self.tables or any(part.strip() for part in self.flow.parts):
            self.tell(self.tables[-1].block if self.tables else self.block)


def _spanned(given: dict[str, str], name: str) -> int:
    """How many columns or rows a cell spans."""
    value = given.get(name, "").strip()
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 4 and int(value) else 1


class _Table:
    """Rows and heads of one table."""

    def __init__(self, number: int, block: int) -> None:
        self.number, self.block = number, block
        self.row = self.cell = 0
        self.heads: dict[int, str] = {}
        self.caption = self.label = ""
        self.head = False
        self.width = 1
        self.taken: dict[int, int] = {}
        self.reaching: dict[int, int] = {}
        """Columns that cells of earlier rows reach into, and those that cells of this row will, with how many rows."""

    def next_row(self) -> None:
        self.taken = {column: rows - 1 for column, rows in self.taken.items() if rows > 1} | self.reaching
        self.row, self.cell, self.width, self.label, self.reaching = self.row + 1, 0, 1, "", {}

    def next_cell(self, head: bool, columns: int, rows: int) -> None:
        self.cell, self.width, self.head = self.cell + self.width, columns, head
        while self.cell in self.taken:
            self.cell += 1
        if rows > 1:
            self.reaching |= dict.fromkeys(range(self.cell, self.cell + columns), rows - 1)

    def placed(self, span: Span, kind: str) -> Span:
        """A cell or a caption with its place in the table."""
        caption = kind == SpanKind.CAPTION
        context = self.context(span.text, kind)
        made = replace(span, block=self.block, table=self.number, row=0 if caption else self.row, context=context)
        return made if caption else replace(made, column=self.cell, width=self.width, head=self.row == 1)

    def context(self, text: str, kind: str) -> str:
        """Head of the column, caption, and first cell of the row; a head is remembered."""
        if kind == SpanKind.CAPTION:
            self.caption = text
            return ""
        if self.row == 1 or (self.head and self.cell > 1):
            self.heads.setdefault(self.cell, text)
            return "" if self.row == 1 else self.caption
        if self.cell == 1:
            self.label = text
            return f"{self.heads.get(1, '')} {self.caption}"
        return f"{self.heads.get(self.cell, '')} {self.caption} {self.label}"
