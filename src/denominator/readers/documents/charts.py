"""Charts of office files: titles, names of series and categories, and every value that is drawn."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from xml.etree.ElementTree import Element

from denominator.readers.documents.flow import Draft
from denominator.readers.documents.parts import Parts, find, first
from denominator.records.documents import Span, SpanKind

EXPONENT = re.compile(r"-?\d{1,3}(?:\.\d{1,20})?[eE][+-]?\d{1,2}", re.ASCII)
VALUES = ("val", "yVal", "bubbleSize", "xVal")


def add_chart(parts: Parts, part: str, draft: Draft, place: str, unit: str, context: str) -> int:
    """The spans of one chart; its number as a table, so that a caption can speak for it."""
    root = parts.xml(part)
    draft.tables += 1
    table, block = draft.tables, draft.next_block()
    base = Span(text="", place=f"{place} chart".strip(), unit=unit, block=block, table=table, whole=True)
    title = first(root, "title")
    titles = _texts(title) if title is not None else []
    for text in titles:
        draft.put(replace(base, text=text, kind=SpanKind.CAPTION))
    named = " ".join([context, *titles])
    for text in (text for one in find(root, "valAx", "catAx") for axis in find(one, "title") for text in _texts(axis)):
        named += f" {text}"
        draft.put(replace(base, text=text, kind=SpanKind.PROSE, table=0))
    for number, series in enumerate(find(root, "ser"), 1):
        _series(series, draft, replace(base, column=number), named)
    return table


def _texts(root: Element) -> list[str]:
    """Paragraphs of rich text, and cached strings."""
    found = ["".join(run.text or "" for run in find(one, "t")) for one in find(root, "p")]
    return [text for text in [*found, *(one.text or "" for one in find(root, "v"))] if text.strip()]


def _series(series: Element, draft: Draft, base: Span, named: str) -> None:
    """One series: names of its points beside their values."""
    head = first(series, "tx")
    name = " ".join(_texts(head)) if head is not None else ""
    if name:
        draft.put(replace(base, text=name, kind=SpanKind.CHART, row=0, head=True))
    categories = _points(first(series, "cat"))
    for index, text in categories.items():
        if not _number(text):
            draft.put(replace(base, text=text, kind=SpanKind.CHART, row=index + 1, column=0))
    for kind in VALUES:
        found = first(series, kind)
        code = first(found, "formatCode") if found is not None else None
        percent = code is not None and "%" in (code.text or "")
        for index, text in _points(found).items():
            context = f"{name} {categories.get(index, '')} {named}"
            draft.put(
                replace(base, text=_plain(text), kind=SpanKind.CHART, row=index + 1, context=context, percent=percent)
            )


def _points(found: Element | None) -> dict[int, str]:
    if found is None:
        return {}
    points = {}
    for one in find(found, "pt"):
        value = first(one, "v")
        index = one.get("idx", "")
        if value is not None and value.text and index.isdecimal() and len(index) < 7:
            points[int(index)] = value.text
    return points


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _plain(text: str) -> str:
    """A value without an exponent, where it has one of a usual size."""
    found = EXPONENT.fullmatch(text.strip())
    return format(Decimal(text.strip()), "f") if found else text.strip()
