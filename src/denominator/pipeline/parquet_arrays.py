"""Columns of polars as arrays of Python and back, without an object for any of their numbers: a column is written as an Arrow IPC
stream, in which the numbers stand as they stand in an array (Arrow columnar format 1.0, "Encapsulated message format")."""

from __future__ import annotations

import io
import struct
import sys
from array import array
from collections.abc import Iterator
from typing import Any

CODES = {"Int32": "i", "Int64": "q", "UInt8": "B", "UInt32": "I"}
BODY_LENGTH, HEADER, BUFFERS = 3, 2, 2
Polars = Any


def array_of(column: Any) -> array[int]:
    """A column of whole numbers, none of which is null, as an array. Raises ValueError for another one."""
    if column.null_count() or str(column.dtype) not in CODES:
        raise ValueError(f"a column of {column.dtype} with {column.null_count()} unknown numbers is no array")
    found = array(CODES[str(column.dtype)])
    if len(column) and sys.byteorder == "little":
        view = _stream(column).getbuffer()
        for begin, many in _values(view):
            found.frombytes(view[begin : begin + many])
        if len(found) != len(column):
            raise ValueError("the stream holds another number of values than the column")
    else:
        found.extend(column.to_list())
    return found


def series_of(pl: Polars, numbers: array[int] | bytes) -> Any:
    """An array, or bytes, as a column. Raises ValueError for an array of other numbers."""
    code = numbers.typecode if isinstance(numbers, array) else "B"
    names = [name for name, one in CODES.items() if one == code]
    if not names:
        raise ValueError(f"an array of {code} is no column")
    if not numbers or sys.byteorder != "little":
        return pl.Series(numbers.tolist() if isinstance(numbers, array) else list(numbers), dtype=getattr(pl, names[0]))
    given, at = memoryview(numbers).cast("B"), 0
    stream = _stream(pl.zeros(len(numbers), dtype=getattr(pl, names[0]), eager=True))
    with stream.getbuffer() as view:
        for begin, many in _values(view):
            taken = given[at : at + many]
            view[begin : begin + len(taken)] = taken
            at += many
    stream.seek(0)
    found = pl.read_ipc_stream(stream).to_series()
    if at < len(given) or len(found) != len(numbers):
        raise ValueError("the stream holds another number of values than the array")
    return found


def _stream(column: Any) -> io.BytesIO:
    stream = io.BytesIO()
    column.alias("numbers").to_frame().rechunk().write_ipc_stream(stream, compression="uncompressed")
    return stream


def _values(view: memoryview) -> Iterator[tuple[int, int]]:
    """Where the values of each record batch of a stream of one column begin, and how many bytes they are."""
    at = 0
    while at + 8 <= len(view) and (size := struct.unpack_from("<i", view, at + 4)[0]):
        message, body = view[at + 8 : at + 8 + size], at + 8 + size
        root = struct.unpack_from("<I", message, 0)[0]
        place = _field(message, root, BODY_LENGTH)
        length = struct.unpack_from("<q", message, place)[0] if place else 0
        if length:
            begin, many = _last_buffer(message)
            yield body + begin, many
        at = body + length
        message.release()


def _field(message: memoryview, table: int, number: int) -> int:
    """Where a field of a table of a flatbuffer stands; 0 where it is absent."""
    fields = table - struct.unpack_from("<i", message, table)[0]
    if 4 + 2 * number >= struct.unpack_from("<H", message, fields)[0]:
        return 0
    offset: int = struct.unpack_from("<H", message, fields + 4 + 2 * number)[0]
    return table + offset if offset else 0


def _last_buffer(message: memoryview) -> tuple[int, int]:
    """Place and length of the last buffer of a record batch: of its one column, the values."""
    root = struct.unpack_from("<I", message, 0)[0]
    header = _field(message, root, HEADER)
    batch = header + struct.unpack_from("<I", message, header)[0]
    buffers = _field(message, batch, BUFFERS)
    vector = buffers + struct.unpack_from("<I", message, buffers)[0]
    many = struct.unpack_from("<I", message, vector)[0]
    begin, length = struct.unpack_from("<qq", message, vector + 4 + 16 * (many - 1))
    return begin, length
