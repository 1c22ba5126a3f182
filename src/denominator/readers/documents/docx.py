"""Word documents: body, headers, footers, notes, comments, tables, text boxes, charts, alt texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from xml.etree.ElementTree import Element

from denominator.errors import InputError
from denominator.readers.documents.charts import add_chart
from denominator.readers.documents.flow import CAPTION, Draft, captioned, slip_of_link
from denominator.readers.documents.parts import Parts, find, first
from denominator.records.documents import Document, Span, SpanKind, Unread

BODY = "word/document.xml"
BESIDE = ("word/header", "word/footer", "word/footnotes", "word/endnotes", "word/comments")
TAG = re.compile(r"(?:slip|cmp):[0-9A-Fa-f.]{8,140}(?:#[\w@.\-]+)?")
NOT_TEXT = ("instrText", "delText", "Fallback", "txbxContent", "p", "pPr", "rPr")


def read_docx(data: bytes, name: str) -> Document:
    """The spans of a .docx file. Raises InputError."""
    parts = Parts(data, name)
    if not parts.has(BODY):
        raise InputError("is no Word document: it holds no word/document.xml", where=name)
    draft = Draft("docx")
    reader = _Reader(parts, draft)
    reader.part(BODY, "")
    for part in parts.names("word/"):
        if part.startswith(BESIDE) and part.endswith(".xml") and part.count("/") == 1:
            reader.part(part, part.removeprefix("word/").removesuffix(".xml"))
    for part in parts.names("word/media/"):
        draft.unread.append(Unread("image", part.rpartition("/")[2], place=part.rpartition("/")[2]))
    return draft.made()


class _Reader:
    """Paragraphs and tables in order, numbered as a reader counts them."""

    def __init__(self, parts: Parts, draft: Draft) -> None:
        self.parts, self.draft = parts, draft
        self.notes = {kind: _notes(parts, kind) for kind in ("footnote", "endnote")}
        self.paragraphs = 0
        self.seen: set[str] = set()
        self.table = 0
        """The table right before, for a caption below it."""

    def part(self, part: str, label: str) -> None:
        """Every block of one part."""
        self.paragraphs = 0
        links = self.parts.links(part)
        for block in _blocks(self.parts.xml(part)):
            if block.tag == "tbl":
                self.rows(block, links, label)
            else:
                self.paragraph(block, links, label)

    def paragraph(self, element: Element, links: dict[str, str], label: str) -> None:
        self.paragraphs += 1
        place = f"{label} paragraph {self.paragraphs}".strip()
        base = Span(text=self.text(element, links), place=place, block=self.draft.next_block())
        style = first(element, "pStyle")
        caption = bool(CAPTION.match(base.text)) or "aption" in (style.get("val", "") if style is not None else "")
        if caption and self.table:
            base, self.table = captioned(base, self.table), 0
        elif base.text.strip():
            self.table = 0
        self.draft.put(base)
        self.inside(element, links, place)

    def inside(self, element: Element, links: dict[str, str], place: str) -> None:
        """What hangs at a paragraph: alt texts, charts, text boxes."""
        for drawing in find(element, "docPr"):
            for name in ("descr", "title"):
                if drawing.get(name):
                    self.draft.put(
                        Span(text=drawing.get(name, ""), kind=SpanKind.ALT, place=place, block=self.draft.next_block())
                    )
        for chart in find(element, "chart"):
            target = links.get(chart.get("@id", ""), "")
            if self.parts.has(target):
                self.table = add_chart(self.parts, target, self.draft, place, "", "")
        for box in find(element, "txbxContent"):
            for block in _blocks(box):
                if block.tag == "p":
                    text = self.text(block, links)
                    self.draft.put(Span(text=text, place=place, block=self.draft.next_block()))
                else:
                    self.rows(block, links, place)

    def rows(self, element: Element, links: dict[str, str], label: str) -> None:
        """A table; the paragraph before it may be its caption, as may the one behind it."""
        draft = self.draft
        draft.tables += 1
        table, block = draft.tables, draft.next_block()
        last = draft.spans[-1] if draft.spans else None
        if last and last.kind == SpanKind.PROSE and (CAPTION.match(last.text) or last.text.rstrip().endswith(":")):
            draft.spans[-1] = captioned(last, table)
        above = " ".join(one.text for one in draft.spans if one.table == table)
        heads: list[str] = []
        for number, row in enumerate(find(element, "tr"), 1):
            texts = [(cell, "\x1e".join(self.text(one, links) for one in find(cell, "p"))) for cell in find(row, "tc")]
            heads = heads or [text for _, text in texts]
            columns = list(accumulate((_width(cell) for cell, _ in texts), initial=1))
            for index, (cell, text) in enumerate(texts):
                place = f"{label} table {table} row {number} cell {index + 1}".strip()
                named = f"{heads[index] if index < len(heads) else ''} {above} {texts[0][1] if index else ''}"
                span = Span(text=text, kind=SpanKind.CELL, place=place, block=block, table=table, row=number)
                span = replace(span, column=columns[index], width=_width(cell), head=number == 1)
                draft.put(replace(span, context=named if number > 1 else ""))
                for one in find(cell, "p"):
                    self.inside(one, links, place)
        self.table = table

    def text(self, element: Element, links: dict[str, str]) -> str:
        """The runs of one paragraph, joined: what is deleted or a field's instruction is left out."""
        return "".join(self.pieces(element, links))

    def pieces(self, element: Element, links: dict[str, str]) -> Iterator[str]:
        for one in element:
            if one.tag == "t":
                yield one.text or ""
            elif one.tag in ("tab", "br", "cr"):
                yield " "
            elif one.tag == "noBreakHyphen":
                yield "-"
            elif one.tag in ("footnoteReference", "endnoteReference"):
                yield self.notes[one.tag.removesuffix("Reference")].get(one.get("id", ""), "")
            elif one.tag == "delText":
                self.draft.skipped["deleted runs"] += 1
            elif one.tag == "hyperlink":
                yield from self.pieces(one, links)
                yield slip_of_link(links.get(one.get("@id", ""), ""))
            elif one.tag not in NOT_TEXT:
                yield from self.pieces(one, links)


def _width(cell: Element) -> int:
    """How many columns a cell spans."""
    found = first(cell, "gridSpan")
    value = found.get("val", "") if found is not None else ""
    return int(value) if value.isdecimal() and len(value) < 4 and int(value) else 1


def _blocks(root: Element) -> Iterator[Element]:
    """Paragraphs and tables, not those inside of them."""
    return find(root, "p", "tbl")


def _notes(parts: Parts, kind: str) -> dict[str, str]:
    """The tags in footnotes, by the number of the note: they speak where the note is called."""
    part = f"word/{kind}s.xml"
    if not parts.has(part):
        return {}
    found = {}
    for one in find(parts.xml(part), kind):
        text = "".join(run.text or "" for run in find(one, "t"))
        found[one.get("id", "")] = "".join(f" {tag} " for tag in TAG.findall(text))
    return found
