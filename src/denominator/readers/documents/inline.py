"""The inline markup of Markdown as text: emphasis and tags go, links to slips become their tags, alt texts stay apart."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from denominator.readers.documents.flow import BREAK, Draft, Flow, slip_of_link
from denominator.records.documents import SpanKind, Unread

TOKEN = re.compile(
    r"""(?P<escape>\\[!-/:-@\[-`{-~])
|(?P<auto><(?:https?|ftp|mailto):[^>\s]{0,2000}>)
|(?P<image>!\[(?P<alt>[^\]]{0,2000})\](?:\((?P<src>[^)\s]{0,2000})[^)]{0,500}\)|\[[^\]]{0,500}\])?)
|(?P<tag></?(?P<name>[A-Za-z][A-Za-z0-9]{0,20})(?P<attributes>[^<>]{0,5000})>)
|(?P<link>\]\(\s{0,3}<?(?P<url>[^()\s<>]{0,2000}(?:\([^()\s]{0,500}\)[^()\s<>]{0,2000})?)>?
   (?:\s{1,3}(?:"[^"]{0,2000}"|'[^']{0,2000}'))?\s{0,3}\))
|(?P<label>\]\[(?P<ref>[^\]\[]{1,500})\])
|(?P<note>\[\^(?P<id>[^\]\s]{1,200})\])
|(?P<mark>\*+|~~|(?<!\w)_+|_+(?!\w))
|(?P<entity>&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});)""",
    re.VERBOSE,
)
ATTRIBUTE = re.compile(
    r"""\b(?P<name>alt|title|aria-label|href|src)\s{0,3}=\s{0,3}(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)')""", re.IGNORECASE
)
BLOCK_NAMES = (
    "address article aside blockquote body br caption center dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 "
    "h6 header hr html li main nav ol option p pre section summary table tbody td tfoot th thead title tr ul"
)
BLOCKS = frozenset(BLOCK_NAMES.split())


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of the file: its text, its line, and the column of its first character."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Known:
    """What labels mean: link targets, and the tags in footnotes, by label."""

    targets: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)


def inline(lines: Sequence[Line], draft: Draft, known: Known, block: int) -> Flow:
    """Lines as one flow of text; images are noted in the draft."""
    flow = Flow()
    joined = "\n".join(one.text for one in lines)
    starts, at = [], 0
    for one in lines:
        starts.append(at)
        at += len(one.text) + 1

    def place(offset: int) -> tuple[int, int]:
        index = _last(starts, offset)
        return lines[index].line, lines[index].column + offset - starts[index]

    last = 0
    for token in TOKEN.finditer(joined):
        _plain(flow, joined, last, token.start(), place)
        _token(flow, token, draft, known, block, place(token.start()))
        last = token.end()
    _plain(flow, joined, last, len(joined), place)
    return flow


def _last(starts: Sequence[int], offset: int) -> int:
    from bisect import bisect_right

    return max(0, bisect_right(starts, offset) - 1)


def _plain(flow: Flow, text: str, start: int, end: int, place: Callable[[int], tuple[int, int]]) -> None:
    """Text as it is; a line end is a space."""
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        flow.add(text[start:stop], *place(start)) if stop > start else None
        if stop < end:
            flow.add(" ", *place(stop))
        start = stop + 1


def _token(flow: Flow, token: re.Match[str], draft: Draft, known: Known, block: int, place: tuple[int, int]) -> None:
    line, column = place
    if token["escape"]:
        flow.add(token[0][1], line, column + 1)
    elif token["entity"]:
        flow.add(html.unescape(token[0]), line, column)
    elif token["auto"]:
        draft.skipped["URLs"] += 1
        flow.add(" ", line, column)
    elif token["image"]:
        add_image(draft, token["alt"], token["src"] or "", block, place)
    elif token["tag"]:
        _tag(flow, token, draft, block, place)
    elif token["link"] or token["label"]:
        target = token["url"] if token["link"] else known.targets.get(token["ref"].lower(), "")
        draft.skipped["URLs"] += bool(token["link"])
        shown = token["label"] and token["ref"].lower().startswith(("slip:", "cmp:"))
        flow.add("]", line, column)
        flow.add(f" {token['ref']}" if shown else slip_of_link(target), line, column + 1)
    elif token["note"]:
        flow.add(known.notes.get(token["id"], ""), line, column)


def _tag(flow: Flow, token: re.Match[str], draft: Draft, block: int, place: tuple[int, int]) -> None:
    """A tag of HTML: a block ends a sentence, a link to a slip is its tag, an image has an alt text."""
    found = {one["name"].lower(): one["a"] or one["b"] or "" for one in ATTRIBUTE.finditer(token["attributes"])}
    name = token["name"].lower()
    if name == "img":
        add_image(draft, html.unescape(found.get("alt", "")), found.get("src", ""), block, place)
    elif name in BLOCKS:
        flow.add(BREAK, *place)
    elif tag := slip_of_link(found.get("href", "")):
        flow.add(f"{tag} ", *place)


def add_image(draft: Draft, alt: str, source: str, block: int, place: tuple[int, int]) -> None:
    """An image: its alt text is read, the image itself is not."""
    line, column = place
    about = alt or source.rpartition("/")[2][:200]
    draft.unread.append(Unread("image", about, line=line, context=source.rpartition("/")[2][:200]))
    if alt:
        flow = Flow()
        flow.add(alt.replace("\n", " "), line, column + 2)
        draft.put(replace(flow.span(SpanKind.ALT), block=block))
