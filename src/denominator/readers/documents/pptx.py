"""Slides: shapes and groups, tables, charts, speaker notes, alt texts; what every slide of a layout shows, too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from denominator.errors import InputError
from denominator.readers.documents.charts import add_chart
from denominator.readers.documents.flow import CAPTION, Draft, captioned, slip_of_link
from denominator.readers.documents.parts import Parts, find, first
from denominator.records.documents import Document, Span, SpanKind, Unread

DECK = "ppt/presentation.xml"


def read_pptx(data: bytes, name: str) -> Document:
    """The spans of a .pptx file. Raises InputError."""
    parts = Parts(data, name)
    if not parts.has(DECK):
        raise InputError("is no presentation: it holds no ppt/presentation.xml", where=name)
    draft = Draft("pptx")
    links = parts.links(DECK)
    listed = [links.get(one.get("@id", ""), "") for one in find(parts.xml(DECK), "sldId")]
    for number, part in enumerate(listed, 1):
        if parts.has(part):
            _Slide(parts, draft, part, f"slide {number}").all()
        else:
            draft.unread.append(Unread("page", "the slide is missing", place=f"slide {number}"))
    orphans = [one for one in parts.names("ppt/slides/slide") if one.endswith(".xml") and one not in listed]
    draft.skipped["slides that no list names"] += len(orphans)
    for folder in ("ppt/slideMasters/", "ppt/slideLayouts/"):
        for part in (one for one in parts.names(folder) if one.endswith(".xml")):
            _Slide(parts, draft, part, part.rpartition("/")[2].removesuffix(".xml"), own_only=True).all()
    return draft.made()


class _Slide:
    """One slide. Of a layout only shapes that are no placeholders are shown (`own_only`)."""

    def __init__(self, parts: Parts, draft: Draft, part: str, unit: str, own_only: bool = False) -> None:
        self.parts, self.draft, self.part, self.unit, self.own_only = parts, draft, part, unit, own_only
        self.links = parts.links(part)
        self.title = ""
        self.tables: list[int] = []

    def all(self) -> None:
        root = self.parts.xml(self.part)
        shapes = list(find(root, "sp", "graphicFrame", "pic", "cxnSp", "contentPart"))
        self.title = next((" ".join(self.texts(one)) for one in shapes if _holds_title(one)), "")
        before = len(self.draft.spans)
        for shape in shapes:
            self.shape(shape)
        self.caption(before)
        if not self.own_only:
            self.notes()

    def shape(self, shape: Element) -> None:
        """Paragraphs of a shape, or what a frame holds; alt texts of any."""
        about = first(shape, "cNvPr")
        name = about.get("name", "") if about is not None else ""
        place = f'{self.unit} "{name}"' if name else self.unit
        if self.own_only and first(shape, "ph") is not None:
            return
        for key in ("descr", "title"):
            if about is not None and about.get(key):
                self.put(about.get(key, ""), place, SpanKind.ALT)
        if shape.tag == "pic":
            alt = (about.get("descr") if about is not None else "") or name
            self.draft.unread.append(Unread("image", alt, place=place, context=self.title))
        elif shape.tag == "graphicFrame":
            self.frame(shape, place)
        else:
            for text in self.texts(shape):
                self.put(text, place, SpanKind.PROSE)

    def put(self, text: str, place: str, kind: str, block: int = 0) -> None:
        span = Span(
            text=text,
            kind=kind,
            place=place,
            unit=self.unit,
            block=block or self.draft.next_block(),
            context=self.title if text != self.title else "",
            whole=True,
        )
        self.draft.put(span)

    def frame(self, shape: Element, place: str) -> None:
        """A table, a chart, or a diagram."""
        for table in find(shape, "tbl"):
            self.tables.append(self.rows(table, place))
        for one in find(shape, "chart", "relIds"):
            target = self.links.get(one.get("@id", "") or one.get("@dm", ""), "")
            if not self.parts.has(target):
                self.draft.unread.append(Unread("page", "a chart whose data is not in the file", place=place))
            elif one.tag == "chart":
                self.tables.append(add_chart(self.parts, target, self.draft, place, self.unit, self.title))
            else:
                for text in self.texts(self.parts.xml(target)):
                    self.put(text, place, SpanKind.PROSE)
        if first(shape, "oleObj") is not None:
            self.draft.unread.append(Unread("image", "an embedded object", place=place, context=self.title))

    def rows(self, table: Element, place: str) -> int:
        self.draft.tables += 1
        number, block = self.draft.tables, self.draft.next_block()
        heads: list[str] = []
        for row, element in enumerate(find(table, "tr"), 1):
            cells = ["\x1e".join(self.texts(cell)) for cell in find(element, "tc")]
            heads = heads or cells
            widths = [_width(cell) for cell in find(element, "tc")]
            for index, text in enumerate(cells):
                named = f"{heads[index] if index < len(heads) else ''} {self.title} {cells[0] if index else ''}"
                span = Span(text=text, kind=SpanKind.CELL, place=f"{place} row {row} cell {index + 1}", unit=self.unit)
                context = named if row > 1 else self.title
                span = replace(span, block=block, table=number, row=row, column=index + 1, width=widths[index])
                self.draft.put(replace(span, head=row == 1, context=context))
        return number

    def caption(self, before: int) -> None:
        """On a slide with one table or chart a paragraph that begins with Table, Chart or Source is its caption."""
        if len(self.tables) != 1:
            return
        for index in range(before, len(self.draft.spans)):
            span = self.draft.spans[index]
            if span.kind == SpanKind.PROSE and not span.table and CAPTION.match(span.text):
                self.draft.spans[index] = captioned(span, self.tables[0])

    def notes(self) -> None:
        """What the speaker reads. The number of the slide is no text."""
        for target in self.links.values():
            if target.startswith("ppt/notesSlides/") and self.parts.has(target):
                links, self.links = self.links, self.parts.links(target)
                for shape in find(self.parts.xml(target), "sp"):
                    for text in self.texts(shape):
                        self.put(text, f"{self.unit} notes", SpanKind.NOTES)
                self.links = links
            if target.startswith("ppt/comments/") and self.parts.has(target):
                for one in find(self.parts.xml(target), "text", "t"):
                    self.put(one.text or "", f"{self.unit} comment", SpanKind.NOTES)

    def texts(self, root: Element) -> list[str]:
        """One text a paragraph, its runs joined: programs split numbers over runs."""
        found = ["".join(self.pieces(one)) for one in find(root, "p")]
        return [text for text in found if text.strip()]

    def pieces(self, element: Element) -> Iterator[str]:
        for one in element:
            if one.tag == "t":
                yield one.text or ""
            elif one.tag in ("br", "tab"):
                yield " "
            elif one.tag == "r":
                yield from self.pieces(one)
                for link in find(one, "hlinkClick"):
                    yield slip_of_link(self.links.get(link.get("@id", ""), ""))
            elif one.tag not in ("rPr", "pPr", "endParaRPr", "Fallback"):
                yield from self.pieces(one)


def _width(cell: Element) -> int:
    """How many columns a cell spans; those that it covers stand in the file as empty cells."""
    value = cell.get("gridSpan", "")
    return int(value) if value.isdecimal() and len(value) < 4 and int(value) else 1


def _holds_title(shape: Element) -> bool:
    kind = first(shape, "ph")
    return kind is not None and kind.get("type", "") in ("title", "ctrTitle")
