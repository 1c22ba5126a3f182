"""Bytes in chunks, and lines of them with a bounded length."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from denominator.readers.runners.shape import Document

STEP = 1 << 16
LINE_MAX = 1 << 20
WHOLE_MAX = 64 << 20
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def chunks(document: Document) -> Iterator[bytes]:
    """The document in pieces of bounded size."""
    for part in (document,) if isinstance(document, bytes) else document:
        for start in range(0, len(part), STEP):
            yield part[start : start + STEP]


def peek(parts: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The document's first bytes, and the whole of it again."""
    head: list[bytes] = []
    for part in parts:
        head.append(part)
        if sum(map(len, head)) >= STEP:
            break
    return b"".join(head), chain(head, parts)


def lines(parts: Iterable[bytes]) -> Iterator[tuple[int, bytes, bool]]:
    """(byte offset, line without its end, whether it is whole). A longer line than `LINE_MAX` is cut, never kept."""
    offset, start, line, cut = 0, 0, bytearray(), False
    for part in parts:
        for piece in _by_newline(part):
            room = LINE_MAX - len(line)
            cut = cut or len(piece) > room
            line += piece[: max(room, 0)]
            offset += len(piece)
            if piece.endswith(b"\n"):
                yield start, bytes(line).rstrip(b"\r\n"), not cut
                start, line, cut = offset, bytearray(), False
    if line:
        yield start, bytes(line), not cut


def _by_newline(part: bytes) -> Iterator[bytes]:
    start = 0
    while (end := part.find(b"\n", start)) >= 0:
        yield part[start : end + 1]
        start = end + 1
    if start < len(part):
        yield part[start:]


def whole(parts: Iterable[bytes]) -> bytes | None:
    """The document in one piece, or None where it is larger than anything that is read whole."""
    data = bytearray()
    for part in parts:
        data += part
        if len(data) > WHOLE_MAX:
            return None
    return bytes(data)


def as_object(data: bytes) -> dict[str, object] | None:
    """A JSON object, or None. Bytes that are no UTF-8 are read with replacement: one stray byte loses no report."""
    try:
        text = data.decode("utf-8-sig", "replace")
        value = json.loads(text)
        if _HALF.search(text):
            value = _writable(value)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _writable(value: object) -> object:
    """The same with `?` for every half of a surrogate pair, which code under test may print and nobody can write down."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_writable(one) for one in value]
    if isinstance(value, dict):
        return {_writable(name): _writable(one) for name, one in value.items()}
    return value


def text_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def int_of(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def dicts_in(value: object) -> list[dict[str, object]]:
    """The objects of a list; anything else is left out."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
