"""Markdown: front matter, paragraphs, tables, lists, comments, definitions. Code fences are passed over and counted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from denominator.readers.documents.flow import CAPTION, Draft, Flow, captioned, slip_of_link
from denominator.readers.documents.html import add_html
from denominator.readers.documents.inline import Known, Line, inline
from denominator.records.documents import Definition, Document, SpanKind

FENCE = re.compile(r"[\s>]{0,40}(?:[-*+]\s{1,4}|\d{1,9}[.)]\s{1,4})?(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)")
DEFINITION = re.compile(
    r"\s{0,3}\[(?P<label>[^\]^][^\]]{0,500})\]:\s{0,3}<?(?P<target>[^\s>]{1,2000})>?(?:\s{1,9}[\"'(](?P<title>.{0,5000})[\"')])?\s*"
)
NOTE = re.compile(r"\s{0,3}\[\^(?P<id>[^\]\s]{1,200})\]:\s?")
BULLET = re.compile(r"[\s>]*(?:[-*+]|\d{1,9}[.)])(?=\s)\s{0,4}(?:\[[ xX]\]\s)?")
QUOTED = re.compile(r"[\s>]*")
HEADING = re.compile(r"#{1,6}\s")
RULE = re.compile(r"\s*(?:[-=_*]\s*){2,}$")
HTML_TABLE = re.compile(r"<table\b", re.IGNORECASE)
HTML_TABLE_END = re.compile(r"</table\s*>", re.IGNORECASE)
DELIMITER = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
AUDIENCE = re.compile(r"\s*(?:quote[_-])?audience\s*:\s*[\"']?(?P<word>\w+)", re.IGNORECASE)
TAG = re.compile(r"(?:slip|cmp):[0-9A-Fa-f.]{8,140}(?:#[\w@.\-]+)?")


def read_markdown(text: str) -> Document:
    """The spans of a Markdown file."""
    draft = Draft("markdown")
    add_markdown(text, draft)
    return draft.made()


def add_markdown(text: str, draft: Draft, first: int = 1) -> None:
    """Spans of Markdown text whose first line has the number `first`."""
    raw = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [Line(one, number, 1) for number, one in enumerate(raw, first)]
    lines = _front_matter(lines, draft)
    pieces = [one for piece in _pieces(lines, draft) for one in _defined(piece, draft)]
    known = _known(pieces, draft)
    _Blocks(pieces, draft, known).all()


def _front_matter(lines: list[Line], draft: Draft) -> list[Line]:
    """Its values are text that pages show; `audience:` is of the document."""
    if not lines or lines[0].text.rstrip() not in ("---", "+++"):
        return lines
    close = {"---": ("---", "..."), "+++": ("+++",)}[lines[0].text.rstrip()]
    end = next((index for index, one in enumerate(lines[1:400], 1) if one.text.rstrip() in close), 0)
    if not end:
        return lines
    for one in lines[1:end]:
        if found := AUDIENCE.match(one.text.replace("=", ":", 1)):
            draft.audience = found["word"].lower()
            continue
        flow = Flow()
        flow.add(one.text, one.line, 1)
        draft.put(replace(flow.span(), block=draft.next_block(), whole=True))
    return lines[end + 1 :]


@dataclass(frozen=True, slots=True)
class _Comment:
    """Lines of a comment; `alone`: nothing else stands before it on its line."""

    lines: tuple[Line, ...]
    alone: bool


_Piece = Line | _Comment


def _pieces(lines: Sequence[Line], draft: Draft) -> Iterator[_Piece]:
    """Lines without fences, comments as pieces behind the line that they begin on. An empty line stands for each fence."""
    fence, cutter = "", _Cutter()
    for one in lines:
        if fence:
            close = one.text.strip(" \t>")
            ends = close.startswith(fence) and not close.strip(fence[0])
            fence = "" if ends else fence
            draft.skipped["lines of code"] += not ends
            continue
        found = None if cutter.open else FENCE.match(one.text)
        if found and not (found["mark"][0] == "`" and "`" in found["info"]):
            fence = found["mark"]
            draft.skipped["code fences"] += 1
            yield Line("", one.line, 1)
            continue
        yield from cutter.cut(one)
    yield from cutter.rest()


class _Cutter:
    """Takes comments out of lines, spaces in their place."""

    def __init__(self) -> None:
        self.open: list[Line] = []
        self.alone = True

    def cut(self, one: Line) -> Iterator[_Piece]:
        """The line without its comments, then the comments that end on it."""
        done: list[_Comment] = []
        kept, at, text = "", 0, one.text
        had = bool(self.open)
        while at < len(text) or not text:
            mark = "-->" if self.open else "<!--"
            found = text.find(mark, at)
            stop = len(text) if found < 0 else found
            if self.open:
                self.open.append(Line(text[at:stop], one.line, at + 1))
                kept += " " * (stop - at)
            else:
                kept += text[at:stop]
            if found < 0:
                break
            kept, at = kept + " " * len(mark), found + len(mark)
            if self.open:
                done.append(_Comment(tuple(self.open), self.alone))
                self.open = []
            else:
                self.open, self.alone, had = [Line("", one.line, at + 1)], not kept.strip(), True
        if kept.strip() or not had:
            yield Line(kept, one.line, 1)
        yield from done

    def rest(self) -> Iterator[_Piece]:
        """A comment that never ends."""
        if self.open:
            yield _Comment(tuple(self.open), self.alone)


def _defined(piece: _Piece, draft: Draft) -> Iterator[_Piece]:
    """Link definitions are kept apart; every other piece goes on."""
    found = DEFINITION.fullmatch(piece.text) if isinstance(piece, Line) else None
    if found is None or isinstance(piece, _Comment):
        yield piece
        return
    draft.definitions.append(Definition(found["label"], found["target"], found["title"] or "", piece.line))
    draft.skipped["URLs"] += 1
    yield Line("", piece.line, 1)


def _known(pieces: Sequence[_Piece], draft: Draft) -> Known:
    targets = {one.label.lower(): one.target for one in draft.definitions}
    notes = {}
    for one in pieces:
        if isinstance(one, Line) and (found := NOTE.match(one.text)):
            tags = TAG.findall(one.text) + [
                slip_of_link(url) for url in re.findall(r"\]\(([^)\s]{1,2000})\)", one.text)
            ]
            notes[found["id"]] = "".join(f" {tag.strip()}" for tag in tags if tag) + " " if any(tags) else " "
    return Known(targets, notes)


class _Blocks:
    """Blocks in order; a paragraph right above or below a table may be its caption."""

    def __init__(self, pieces: Sequence[_Piece], draft: Draft, known: Known) -> None:
        self.pieces, self.draft, self.known = pieces, draft, known
        self.held: list[Line] = []
        self.inside: list[_Comment] = []
        self.waiting: list[_Comment] = []
        self.gap = 9
        """Empty lines since the last table; 9 once there was a paragraph."""
        self.above = -1
        """The paragraph right before, as its place among the spans; -1 where there is none."""

    def all(self) -> None:
        """Every piece."""
        index = 0
        while index < len(self.pieces):
            one = self.pieces[index]
            if isinstance(one, _Comment):
                self.comment(one)
            elif _starts_table(self.pieces, index):
                index = self.table(index)
                continue
            elif HTML_TABLE.search(one.text):
                index = self.html_table(index)
                continue
            else:
                self.line(one)
            index += 1
        self.flush()
        for one in self.waiting:
            _hidden(one, self.draft, self.draft.next_block())

    def comment(self, one: _Comment) -> None:
        """One that stands alone is of the next block, any other of the block that it stands in."""
        if one.alone:
            self.flush()
            self.waiting.append(one)
        elif self.held:
            self.inside.append(one)
        else:
            _hidden(one, self.draft, self.draft.block)

    def line(self, one: Line) -> None:
        """A line of a paragraph, or the empty one that ends it."""
        if not one.text.strip():
            self.above = -1 if not self.held and self.gap else self.above
            self.flush()
            self.gap += 1
            return
        if _starts(one.text):
            self.flush()
        if not RULE.fullmatch(one.text):
            lead = BULLET.match(one.text) or NOTE.match(one.text) or QUOTED.match(one.text)
            cut = lead.end() if lead else 0
            self.held.append(Line(one.text[cut:], one.line, one.column + cut))
        if HEADING.match(one.text):
            self.flush()

    def flush(self) -> None:
        """End the paragraph."""
        if not self.held:
            return
        draft, block = self.draft, self.draft.next_block()
        self.tell(block)
        span = replace(inline(self.held, draft, self.known, block).span(), block=block)
        text = span.text.lstrip()
        if self.gap <= 1 and (CAPTION.match(text) or text.startswith(":")):
            span = captioned(span, draft.tables)
        self.above = len(draft.spans) if span.text.strip() else -1
        draft.put(span)
        self.held, self.gap = [], 9

    def tell(self, block: int) -> None:
        """The comments that belong to a block."""
        for one in (*self.waiting, *self.inside):
            _hidden(one, self.draft, block)
        self.waiting, self.inside = [], []

    def table(self, index: int) -> int:
        """One table: caption, head, delimiter, rows; where the text goes on."""
        self.flush()
        draft = self.draft
        draft.tables += 1
        table, block = draft.tables, draft.next_block()
        if 0 <= self.above < len(draft.spans) and _titled(draft.spans[self.above].text):
            draft.spans[self.above] = captioned(draft.spans[self.above], table)
        self.tell(block)
        above = " ".join(one.text for one in draft.spans if one.table == table)
        end = index
        while end < len(self.pieces) and _is_row(self.pieces[end]):
            end += 1
        rows = [one for one in self.pieces[index:end] if isinstance(one, Line)]
        self._rows([rows[0], *rows[2:]], above, block)
        self.gap, self.above = 0, -1
        return end

    def html_table(self, index: int) -> int:
        """A table written in HTML, read as such; where the text goes on."""
        self.flush()
        before, end = len(self.draft.spans), index
        while end < len(self.pieces) and not HTML_TABLE_END.search(_text(self.pieces[end])):
            end += 1
        lines = [one for one in self.pieces[index : end + 1] if isinstance(one, Line)]
        texts = {one.line: one.text for one in lines}
        first = lines[0].line
        add_html("\n".join(texts.get(number, "") for number in range(first, lines[-1].line + 1)), self.draft, first)
        self.inside += [one for one in self.pieces[index : end + 1] if isinstance(one, _Comment)]
        cells = (one.block for one in self.draft.spans[before:] if one.kind == SpanKind.CELL)
        self.tell(next(cells, self.draft.block))
        self.gap, self.above = 9, -1
        return end + 1

    def _rows(self, rows: Sequence[Line], above: str, block: int) -> None:
        heads = [cell.text.strip() for cell in _cells(rows[0])]
        for number, row in enumerate(rows, 1):
            cells = _cells(row)
            for place, cell in enumerate(cells):
                span = inline([cell], self.draft, self.known, block).span(SpanKind.CELL)
                label = cells[0].text.strip() if place else ""
                context = f"{heads[place] if place < len(heads) else ''} {above} {label}" if number > 1 else ""
                span = replace(
                    span, block=block, table=self.draft.tables, row=number, column=place + 1, head=number == 1
                )
                self.draft.put(replace(span, context=context))


def _text(piece: _Piece) -> str:
    return piece.text if isinstance(piece, Line) else ""


def _is_row(piece: _Piece) -> bool:
    return isinstance(piece, Line) and "|" in piece.text


def _starts(text: str) -> bool:
    return bool(BULLET.match(text) or HEADING.match(text) or NOTE.match(text))


def _hidden(comment: _Comment, draft: Draft, block: int) -> None:
    flow = Flow()
    for one in comment.lines:
        flow.add(one.text + "\n", one.line, one.column)
    draft.put(replace(flow.span(SpanKind.HIDDEN), block=block))


def _starts_table(pieces: Sequence[_Piece], index: int) -> bool:
    head, rule = pieces[index], pieces[index + 1] if index + 1 < len(pieces) else None
    if not isinstance(head, Line) or not isinstance(rule, Line):
        return False
    return (
        "|" in head.text
        and "|" in rule.text
        and "-" in rule.text
        and bool(DELIMITER.fullmatch(QUOTED.sub("", rule.text, count=1)))
    )


def _titled(text: str) -> bool:
    return bool(CAPTION.match(text)) or text.rstrip().endswith(":")


def _cells(one: Line) -> list[Line]:
    """The cells of a row, split at pipes that are not escaped."""
    found, start = [], 0
    cuts = [cut.start() for cut in re.finditer(r"(?<!\\)\|", one.text)]
    for cut in [*cuts, len(one.text)]:
        found.append(Line(one.text[start:cut], one.line, one.column + start))
        start = cut + 1
    inner = found[1:] if found and not found[0].text.strip(" \t>") else found
    return inner[:-1] if inner and not inner[-1].text.strip() else inner
