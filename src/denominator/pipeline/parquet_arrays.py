"""A column of polars as an array of Python, without an object for any of its numbers: it is written as an Arrow IPC stream, in
which the numbers stand as they stand in an array (Arrow columnar format 1.0, "Encapsulated message format")."""

from __future__ import annotations

import io
import struct
import sys
from array import array
from typing import Any

WIDTHS = {4: "i", 8: "q"}
BODY_LENGTH, HEADER, BUFFERS = 3, 2, 2


def array_of(column: Any) -> array[int]:
    """A column of 32-bit or 64-bit integers, none of which is null, as an array. Raises ValueError for another one."""
    if column.null_count() or str(column.dtype) not in ("Int32", "Int64"):
        raise ValueError(f"a column of {column.dtype} with {column.null_count()} unknown numbers is no array")
    found = array(WIDTHS[int(str(column.dtype)[3:]) // 8])
    if len(column) and sys.byteorder == "little":
        _fill(found, column)
    else:
        found.extend(column.to_list())
    return found


def _fill(found: array[int], column: Any) -> None:
    stream = io.BytesIO()
    column.alias("numbers").to_frame().rechunk().write_ipc_stream(stream, compression="uncompressed")
    view, at = stream.getbuffer(), 0
    while at + 8 <= len(view) and (size := struct.unpack_from("<i", view, at + 4)[0]):
        message, body = view[at + 8 : at + 8 + size], at + 8 + size
        root = struct.unpack_from("<I", message, 0)[0]
        place = _field(message, root, BODY_LENGTH)
        length = struct.unpack_from("<q", message, place)[0] if place else 0
        if length:
            begin, many = _last_buffer(message)
            found.frombytes(view[body + begin : body + begin + many])
        at = body + length
    if len(found) != len(column):
        raise ValueError("the stream holds another number of values than the column")


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
