"""CSV -> rows. Every value is text; a column map says what it means."""

from __future__ import annotations

import csv
import hashlib
import io

from denominator.errors import InputError
from denominator.importers.raw import RawRow
from denominator.importers.values import CsvText


def read_csv(name: str, data: bytes) -> tuple[RawRow, ...]:
    """Rows of a CSV file with a header line; an empty cell is null. A row of another width is refused."""
    try:
        table = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8", where=name) from error
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", where=name) from error
    if not table or len(set(table[0])) != len(table[0]):
        raise InputError("the first line must name every column once", where=name)
    return tuple(_row(name, number, table[0], cells) for number, cells in enumerate(table[1:], 2) if cells)


def _row(name: str, number: int, header: list[str], cells: list[str]) -> RawRow:
    if len(cells) != len(header):
        raise InputError(f"{len(cells)} cells under {len(header)} columns", where=f"{name}:{number}")
    digest = hashlib.sha256("\x1f".join(cells).encode("utf-8", "surrogatepass")).hexdigest()
    return RawRow(
        name, number, digest, {key: CsvText(cell) if cell else None for key, cell in zip(header, cells, strict=True)}
    )
