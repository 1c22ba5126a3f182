"""Notebooks: their Markdown cells. Code and outputs are counted: no tag can stand in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from denominator.errors import InputError
from denominator.readers.documents.flow import Draft
from denominator.readers.documents.markdown import add_markdown
from denominator.records.documents import Document


def read_notebook(text: str) -> Document:
    """The spans of the Markdown cells, each with its cell and its line in it."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no JSON: {str(error)[:200]}") from None
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list):
        raise InputError("holds no list of cells", fix="save it as a notebook of version 4")
    draft = Draft("notebook")
    for number, cell in enumerate(cells, 1):
        _cell(cell if isinstance(cell, dict) else {}, number, draft)
    return draft.made()


def _cell(cell: dict[str, Any], number: int, draft: Draft) -> None:
    kind = cell.get("cell_type")
    if kind not in ("markdown", "raw"):
        outputs = cell.get("outputs")
        draft.skipped["code cells"] += kind == "code"
        draft.skipped["outputs"] += len(outputs) if isinstance(outputs, list) else 0
        return
    before, unread, defined = len(draft.spans), len(draft.unread), len(draft.definitions)
    add_markdown("".join(_source(cell.get("source"))), draft)
    for index in range(before, len(draft.spans)):
        span = draft.spans[index]
        place = f"cell {number}" + (f" line {span.marks[0].line}" if span.marks else "")
        draft.spans[index] = replace(span, marks=(), place=place)
    for index in range(unread, len(draft.unread)):
        draft.unread[index] = replace(draft.unread[index], place=f"cell {number}", line=0)
    for index in range(defined, len(draft.definitions)):
        draft.definitions[index] = replace(draft.definitions[index], line=0)


def _source(source: object) -> Iterator[str]:
    """A text, or a list of lines."""
    if isinstance(source, str):
        yield source
    elif isinstance(source, list):
        yield from (one for one in source if isinstance(one, str))
