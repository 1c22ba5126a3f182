"""Sheets as CSV, for spreadsheets: written for all of them, read as any of them writes it back.

Written: UTF-8 with a byte order mark, CRLF, every cell in quotes. Read: commas, semicolons or tabs, any order of
columns, further columns, UTF-16 too. Only the columns that are needed are looked at.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from denominator.errors import InputError
from denominator.records.reviews import ReviewRow
from denominator.review.answers import NEEDED, SHOWN_KEY, Line
from denominator.review.cells import cell

COLUMNS = (
    "place", "row", "axis", "value", "why", "allowed", "task", "repeat", "attempt", "facts", "patch", "look", "hints",
    "copy", "sheet",
)  # fmt: skip
SEPARATORS = (",", ";", "\t")
MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
AGAIN = "save it as CSV (UTF-8) with its header line"


def write_csv(rows: Iterable[ReviewRow]) -> bytes:
    """A copy as a file."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows(_cells(row) for row in rows)
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", "backslashreplace")


def _cells(row: ReviewRow) -> list[str]:
    facts = "; ".join(f"{name}={text}" for name, text in row.facts.items())
    key = (cell(row.key.task_id), str(row.key.repeat), str(row.key.attempt))
    known = (cell(facts), cell(row.patch), cell("; ".join(row.look)), cell("; ".join(row.hints)))
    asked = (cell(row.axis), cell(row.value), cell(row.why), cell(" | ".join(row.allowed)))
    return [str(row.place), row.row, *asked, *key, *known, row.copy, row.sheet]


def read_csv(data: bytes, where: str) -> tuple[Line, ...]:
    """The lines of a file that came back. Raises InputError where it is no such table."""
    text = _text(data, where)
    table = _table(text, where)
    if table is None:
        lacks = _missing(text)
        what = f"lacks the column{'s' if len(lacks) > 1 else ''} {', '.join(lacks)}"
        raise InputError(what, where=where, fix=AGAIN)
    header, lines = table
    twice = sorted(name for name in (*NEEDED, *SHOWN_KEY) if header.count(name) > 1)
    if twice:
        raise InputError(f"column {', '.join(twice)} is there twice", where=where, fix="keep one of them")
    return tuple(_line(number, header, cells) for number, cells in lines if any(one.strip() for one in cells))


def _text(data: bytes, where: str) -> str:
    try:
        text = data.decode(MARKS.get(data[:2], "utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8", where=where, fix=AGAIN) from None
    if "\0" in text:
        raise InputError("holds zero bytes: it is no CSV", where=where, fix=AGAIN)
    return text


def _table(text: str, where: str) -> tuple[list[str], list[tuple[int, list[str]]]] | None:
    """Header and numbered lines, by the first separator that gives the columns that are needed."""
    for header, reader in _headers(text):
        if {*NEEDED} <= {*header}:
            return header, list(_numbered(reader, where))
    return None


def _headers(text: str) -> Iterable[tuple[list[str], Any]]:
    """The first line by each separator, and the reader that goes on behind it."""
    for separator in SEPARATORS:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        try:
            header = [name.strip().casefold() for name in next(reader, [])]
        except csv.Error:
            continue
        yield header, reader


def _missing(text: str) -> list[str]:
    """The columns that are needed and not there, by the separator that finds most of them."""
    lacks = [[name for name in NEEDED if name not in header] for header, _ in _headers(text)]
    return min(lacks, key=len, default=list(NEEDED))


def _numbered(reader: Any, where: str) -> Iterable[tuple[int, list[str]]]:
    """Lines of a table, each with the number of the line of the file on which it ends."""
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"line {reader.line_num} is no CSV: {error}", where=where, fix=AGAIN) from None


def _line(number: int, header: Sequence[str], cells: Sequence[str]) -> Line:
    got = {name: text.strip() for name, text in zip(header, cells, strict=False)}
    shown = tuple((name, got[name]) for name in SHOWN_KEY if got.get(name))
    return Line(number=number, shown=shown, **{name: got.get(name, "") for name in NEEDED})
