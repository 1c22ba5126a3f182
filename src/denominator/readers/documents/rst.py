"""reStructuredText and plain text: paragraphs, grid and simple tables, comments, alt texts; literal blocks are counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from denominator.readers.documents.flow import CAPTION, Draft, Flow, captioned, slip_of_link
from denominator.readers.documents.inline import Line
from denominator.records.documents import Document, Span, SpanKind, Unread

DIRECTIVE = re.compile(
    r"(?P<indent>\s*)\.\.\s+(?:\|[^|]{1,200}\|\s+)?(?P<name>[A-Za-z][\w:-]*?)::(?:\s+(?P<argument>.*))?$"
)
COMMENT = re.compile(r"(?P<indent>\s*)\.\.(?:\s+(?![_|\[]|[A-Za-z][\w:-]*::)(?P<text>.*))?$")
TARGET = re.compile(r"\s*\.\.\s+_(?P<name>[^:]{1,500}):\s*(?P<target>\S*)\s*$")
OPTION = re.compile(r"\s*:(?P<name>[a-z-]+):\s*(?P<value>.*)$")
CODE = ("code", "code-block", "sourcecode", "literalinclude", "parsed-literal", "raw", "highlight", "math")
GRID = re.compile(r"\s*\+[-=+]{2,}\+\s*$")
SIMPLE = re.compile(r"\s*={2,}(?:\s+={2,})+\s*$")
ADORNED = re.compile(r"\s*([=\-~^\"'#*+`.:_<>])\1{2,}\s*$")
LINK = re.compile(
    r"`(?P<text>[^`<]{0,500})<(?P<url>[^`>]{1,2000})>`__?|(?P<role>:[\w:+.-]{1,60}:)?`(?P<plain>[^`]{1,500})`_{0,2}|\*{1,2}|\\(?P<escaped>\S)"
)
BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)]|#\.)\s+")
FIELD = re.compile(r":audience:\s*(?P<word>\w+)\s*$", re.IGNORECASE)


def read_rst(text: str) -> Document:
    """The spans of a text."""
    draft = Draft("rst")
    raw = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    _Reader([Line(one, number, 1) for number, one in enumerate(raw, 1)], draft).all()
    return draft.made()


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


class _Reader:
    """Walks over the lines."""

    def __init__(self, lines: Sequence[Line], draft: Draft) -> None:
        self.lines, self.draft = lines, draft
        self.held: list[Line] = []
        self.waiting: list[Span] = []
        self.caption = 0
        """The table whose caption the next paragraph is (it was named by a directive), or may be."""

    def all(self) -> None:
        index = 0
        while index < len(self.lines):
            index = self.step(index)
        self.flush()
        for one in self.waiting:
            self.draft.put(replace(one, block=self.draft.next_block()))

    def step(self, index: int) -> int:
        """One line, or a block that begins with it; where the text goes on."""
        one = self.lines[index]
        if found := FIELD.match(one.text):
            self.draft.audience = found["word"].lower()
            return index + 1
        if found := DIRECTIVE.match(one.text):
            return self.directive(index, found)
        if found := TARGET.match(one.text):
            self.draft.skipped["URLs"] += bool(found["target"])
            return index + 1
        if found := COMMENT.match(one.text):
            return self.comment(index, len(found["indent"]))
        if GRID.match(one.text) or SIMPLE.match(one.text):
            self.flush()
            return self.table(index)
        if not one.text.strip():
            self.flush()
        elif not ADORNED.match(one.text):
            if BULLET.match(one.text):
                self.flush()
            self.held.append(one)
            if one.text.rstrip().endswith("::"):
                return self.literal(index)
        return index + 1

    def inside(self, index: int, indent: int) -> int:
        """Where the lines that are indented deeper end."""
        end = index + 1
        while end < len(self.lines) and (not self.lines[end].text.strip() or _indent(self.lines[end].text) > indent):
            end += 1
        return end

    def literal(self, index: int) -> int:
        """A paragraph that ends with two colons: the indented block behind it is code."""
        indent = _indent(self.lines[index].text)
        following = next((one.text for one in self.lines[index + 1 :] if one.text.strip()), "")
        self.flush()
        if index + 1 >= len(self.lines) or self.lines[index + 1].text.strip() or _indent(following) <= indent:
            return index + 1
        end = self.inside(index, indent)
        self.draft.skipped["code blocks"] += 1
        self.draft.skipped["lines of code"] += sum(bool(one.text.strip()) for one in self.lines[index + 1 : end])
        return end

    def directive(self, index: int, found: re.Match[str]) -> int:
        """Code is passed over, images are noted, of any other the content is read on."""
        self.flush()
        name, argument, indent = found["name"], found["argument"] or "", len(found["indent"])
        if name in CODE:
            self.draft.skipped["code blocks"] += 1
            return self.inside(index, indent)
        if name in ("image", "figure"):
            self.image(index, argument, indent)
        elif argument:
            start = found.start("argument")
            self.held = [Line(argument, self.lines[index].line, start + 1)]
            if name in ("table", "csv-table", "list-table"):
                self.caption = self.draft.tables + 1
            self.flush()
        end = index + 1
        while end < len(self.lines) and OPTION.match(self.lines[end].text):
            end += 1
        return end

    def image(self, index: int, source: str, indent: int) -> None:
        end, alt = index + 1, ""
        while (
            end < len(self.lines)
            and (option := OPTION.match(self.lines[end].text))
            and _indent(self.lines[end].text) > indent
        ):
            if option["name"] == "alt":
                alt = option["value"]
                flow = Flow()
                flow.add(alt, self.lines[end].line, option.start("value") + 1)
                self.draft.put(replace(flow.span(SpanKind.ALT), block=self.draft.next_block()))
            end += 1
        base = source.rpartition("/")[2][:200]
        self.draft.unread.append(Unread("image", alt or base, line=self.lines[index].line, context=base))

    def comment(self, index: int, indent: int) -> int:
        """What no reader sees; it may hold a suppression for the block behind it."""
        self.flush()
        end = self.inside(index, indent)
        flow = Flow()
        for one in self.lines[index:end]:
            flow.add(one.text + "\n", one.line, 1)
        self.waiting.append(flow.span(SpanKind.HIDDEN))
        return end

    def tell(self, block: int) -> None:
        for one in self.waiting:
            self.draft.put(replace(one, block=block))
        self.waiting = []

    def flush(self) -> None:
        """End the paragraph."""
        if not self.held:
            return
        block = self.draft.next_block()
        self.tell(block)
        span = replace(_flow(self.held, self.draft).span(), block=block)
        if self.caption > self.draft.tables or (self.caption and CAPTION.match(span.text)):
            span = captioned(span, self.caption)
        elif self.caption <= self.draft.tables:
            self.caption = 0
        self.draft.put(span)
        self.held = []

    def table(self, index: int) -> int:
        """A grid table (rows between lines of +--+) or a simple one (columns under ===)."""
        draft = self.draft
        draft.tables += 1
        block = draft.next_block()
        self.tell(block)
        last = draft.spans[-1] if draft.spans else None
        if last and last.kind == SpanKind.PROSE and CAPTION.match(last.text):
            draft.spans[-1] = captioned(last, draft.tables)
        above = " ".join(one.text for one in draft.spans if one.table == draft.tables)
        grid = bool(GRID.match(self.lines[index].text))
        end = index + 1
        while end < len(self.lines) and self.lines[end].text.strip():
            end += 1
        cut = _grid if grid else _simple
        heads: dict[int, str] = {}
        for number, cells in enumerate(cut(self.lines[index:end]), 1):
            for place, pieces in cells.items():
                heads.setdefault(place, " ".join(piece.text.strip() for piece in pieces))
                span = _flow(pieces, draft).span(SpanKind.CELL)
                label = " ".join(piece.text.strip() for piece in cells.get(0, [])) if place else ""
                context = f"{heads[place]} {above} {label}" if number > 1 else ""
                span = replace(span, block=block, table=draft.tables, row=number, column=place + 1, head=number == 1)
                draft.put(replace(span, context=context))
        self.caption = draft.tables
        return end


def _grid(lines: Sequence[Line]) -> list[dict[int, list[Line]]]:
    rows: list[dict[int, list[Line]]] = []
    new = True
    edges = [edge.start() for edge in re.finditer(r"\+", lines[0].text)]
    for one in lines:
        if GRID.match(one.text):
            new = True
            continue
        if new:
            rows.append({})
            new = False
        cuts = [cut.start() for cut in re.finditer(r"\|", one.text)]
        for index, (start, end) in enumerate(pairwise(cuts)):
            place = edges.index(start) if start in edges else index
            rows[-1].setdefault(place, []).append(Line(one.text[start + 1 : end], one.line, start + 2))
    return rows


def _simple(lines: Sequence[Line]) -> list[dict[int, list[Line]]]:
    columns = [(one.start(), one.end()) for one in re.finditer(r"=+", lines[0].text)]
    rows = []
    for one in lines:
        if not re.fullmatch(r"[\s=-]+", one.text):
            stops = [start for start, _ in columns[1:]] + [max(len(one.text), columns[-1][1])]
            cells = enumerate(zip([start for start, _ in columns], stops, strict=True))
            rows.append({place: [Line(one.text[a:b], one.line, a + 1)] for place, (a, b) in cells})
    return rows


def _flow(lines: Sequence[Line], draft: Draft) -> Flow:
    """Lines as one flow; marks of emphasis go, links to slips are their tags."""
    flow = Flow()
    for number, one in enumerate(lines):
        if number:
            flow.add(" ", one.line, one.column)
        at = 0
        for token in LINK.finditer(one.text):
            flow.add(one.text[at : token.start()], one.line, one.column + at)
            _token(flow, token, one, draft)
            at = token.end()
        flow.add(one.text[at:], one.line, one.column + at)
    return flow


def _token(flow: Flow, token: re.Match[str], one: Line, draft: Draft) -> None:
    if token["url"]:
        draft.skipped["URLs"] += 1
        flow.add(token["text"], one.line, one.column + token.start("text"))
        flow.add(slip_of_link(token["url"]), one.line, one.column + token.start("url"))
    elif token["plain"]:
        flow.add(token["plain"], one.line, one.column + token.start("plain"))
    elif token["escaped"]:
        flow.add(token["escaped"], one.line, one.column + token.start("escaped"))
