"""PDF: text of pages through the extra `pdf`; without it nothing is checked, and that is said."""

from __future__ import annotations

import importlib.util
import io
import logging
import re
from collections.abc import Iterator
from typing import Any

from denominator.errors import InputError
from denominator.readers.documents.flow import CAPTION, Draft
from denominator.records.documents import Document, Span, Unread

PAGES_MAX = 5000
BULLET = re.compile(r"\s*[•●▪–*-]\s")
TAG_FIRST = re.compile(r"\s*\[?(?:slip|cmp):")
DONE = re.compile(r"[.!?:]\s*$")


def read_pdf(data: bytes, name: str) -> Document:
    """The spans of a PDF. Raises InputError for bytes that are none, or that a password keeps."""
    draft = Draft("pdf")
    if b"%PDF-" not in data[:1024]:
        raise InputError("is no PDF", where=name)
    if importlib.util.find_spec("pypdf") is None:
        about = "text of PDF files is read with the extra `pdf` (pip install 'denominator[pdf]')"
        return Document(form="pdf", spans=(), unread=(Unread("document", about),))
    try:
        for number, (text, images) in enumerate(_pages(data, name), 1):
            _page(text, images, number, draft)
    except InputError:
        raise
    except Exception as error:  # whatever the reader of damaged bytes stumbles over
        raise InputError(f"cannot be read as PDF ({type(error).__name__})", where=name) from None
    return draft.made()


def _pages(data: bytes, name: str) -> Iterator[tuple[str, int]]:
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise InputError("is kept by a password", where=name)
    if len(reader.pages) > PAGES_MAX:
        raise InputError(f"holds more than {PAGES_MAX} pages", where=name)
    for page in reader.pages:
        yield page.extract_text() or "", _images(page)


def _images(page: Any) -> int:
    resources = page.get("/Resources")
    objects = resources.get_object().get("/XObject") if resources is not None else None
    found = objects.get_object().values() if objects is not None else ()
    return sum(one.get_object().get("/Subtype") == "/Image" for one in found)


def _page(text: str, images: int, number: int, draft: Draft) -> None:
    """Lines joined to paragraphs. A page without text shows something else, and that was not read."""
    place = f"page {number}"
    if not text.strip():
        draft.unread.append(Unread("page", "it has no text", place=place))
    for _ in range(images):
        draft.unread.append(Unread("image", "an image of the page", place=place, context=text[:2000]))
    for paragraph in _paragraphs(text.replace("\r", "\n").split("\n")):
        draft.put(Span(text=paragraph, place=place, unit=place, block=draft.next_block()))


def _paragraphs(lines: list[str]) -> Iterator[str]:
    held: list[str] = []
    for line in lines:
        ends = not line.strip() or BULLET.match(line) or CAPTION.match(line) or (held and DONE.search(held[-1]))
        if held and ends and not TAG_FIRST.match(line):
            yield " ".join(held)
            held = []
        if line.strip():
            held.append(line.strip())
    if held:
        yield " ".join(held)
