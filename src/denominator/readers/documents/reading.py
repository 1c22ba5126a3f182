"""Which reader a file gets, by its ending; and how its bytes become text."""

from __future__ import annotations

from collections.abc import Callable

from denominator.errors import InputError
from denominator.records.documents import Document

TEXT_BYTES = 8 << 20
OFFICE_BYTES = 256 << 20
FORMS = {
    ".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html", ".xhtml": "html", ".rst": "rst",
    ".txt": "text", ".ipynb": "notebook", ".docx": "docx", ".pptx": "pptx", ".pdf": "pdf",
    ".png": "image", ".jpg": "image", ".jpeg": "image", ".gif": "image", ".webp": "image", ".svg": "image",
}  # fmt: skip
"""Endings that are read."""


def form_of(name: str) -> str:
    """The form of a file by its ending; "" for what is not read here."""
    dot = name.rfind(".")
    return FORMS.get(name[dot:].lower(), "") if dot >= 0 else ""


def read_document(data: bytes, name: str) -> Document:
    """The spans of a file. Raises InputError for a form that is not read, and for bytes that are not of its form."""
    form = form_of(name)
    if not form:
        known = " ".join(sorted(FORMS))
        raise InputError("is of a form that is not read here", where=name, fix=f"these are: {known}")
    limit = OFFICE_BYTES if form in ("docx", "pptx", "pdf") else TEXT_BYTES
    if len(data) > limit and form != "image":
        raise InputError(f"holds more than {limit} bytes", where=name)
    try:
        return _reader(form)(data, name)
    except InputError as error:
        raise InputError(error.what, where=error.where or name, fix=error.fix, problems=error.problems) from None
    except RecursionError:
        raise InputError("is nested too deeply", where=name) from None


def _reader(form: str) -> Callable[[bytes, str], Document]:
    """The reader of a form, imported when it is needed."""
    if form == "docx":
        from denominator.readers.documents.docx import read_docx

        return read_docx
    if form == "pptx":
        from denominator.readers.documents.pptx import read_pptx

        return read_pptx
    if form == "pdf":
        from denominator.readers.documents.pdf import read_pdf

        return read_pdf
    if form == "image":
        return _image
    texts = _text_reader(form)
    return lambda data, name: texts(text_of(data, name))


def _text_reader(form: str) -> Callable[[str], Document]:
    if form == "html":
        from denominator.readers.documents.html import read_html

        return read_html
    if form in ("rst", "text"):
        from denominator.readers.documents.rst import read_rst

        return read_rst
    if form == "notebook":
        from denominator.readers.documents.notebook import read_notebook

        return read_notebook
    from denominator.readers.documents.markdown import read_markdown

    return read_markdown


def text_of(data: bytes, name: str) -> str:
    """UTF-8, or UTF-16 with its mark. Raises InputError with the place of the first bad byte."""
    coding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(coding)
    except UnicodeDecodeError as error:
        raise InputError(f"is no {coding.removesuffix('-sig')} text at byte {error.start}", where=name) from None


def _image(data: bytes, name: str) -> Document:
    """Nothing in an image is read; what its name says may still speak of results."""
    from denominator.records.documents import Unread

    base = name.rpartition("/")[2]
    return Document(
        form="image", spans=(), unread=(Unread("image", base, place="", context=f"{base} {len(data)} bytes"),)
    )
