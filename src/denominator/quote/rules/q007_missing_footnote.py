"""The words that a tier asks for do not stand beside the number.

Why it matters: an external number is one of a model, a harness and a budget; without their names it is taken for one of
the product.

Bad: a slide with a rate and a tag. Good: the same with "model m-1, harness 0a1b2c3d4e5f, tokens 81000/100000" below it.
Fix: copy the footnote that `slip show` prints: in a document anywhere, in a deck onto the slide; `quote fix` writes it
into the tooltip of a Markdown definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.quote.plain import plain
from denominator.quote.shape import Rule, Said, Sheet, at, cited_slips, short
from denominator.records.documents import SpanKind

PARTS = re.compile(r"[;,]\s+")


def check(sheet: Sheet) -> Iterable[Said]:
    """Every tag, once a sentence. The parts of a footnote may stand in any order."""
    texts = _texts(sheet)
    for scope, one, slip in cited_slips(sheet):
        near = texts.get(scope.span.unit, "") + texts["definitions"]
        parts = [part for part in PARTS.split(slip.tier.footnote) if part.strip()]
        missing = [part for part in parts if _flat(part) not in near]
        if missing:
            what = f"the footnote of slip {short(slip.id)} lacks: {', '.join(missing)}"
            yield at(scope, one.tag.start, one.tag.text, what, "copy the footnote of denominator slip show")


def _texts(sheet: Sheet) -> dict[str, str]:
    """All that a reader sees at once, by unit; the notes of a speaker are not beside a number."""
    found: dict[str, list[str]] = {}
    for span in sheet.document.spans:
        if span.kind not in (SpanKind.HIDDEN, SpanKind.NOTES):
            found.setdefault(span.unit, []).append(_flat(span.text))
    tooltips = [_flat(one.title) for one in sheet.document.definitions if one.label.lower().startswith("slip:")]
    return {"definitions": "\n" + "\n".join(tooltips)} | {unit: "\n".join(texts) for unit, texts in found.items()}


def _flat(text: str) -> str:
    return " ".join(plain(text).text.split()).lower()


RULE = Rule(Entry("Q007", "missing-footnote", "0.1.0", "quote", __doc__ or ""), check)
