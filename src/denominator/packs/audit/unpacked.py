"""What lies inside a file: members of zip and tar archives, what gzip, bzip2 and xz hold, base64 in a text.

Everything stays in memory and under a size; nothing is written, no link followed, no code object loaded. What cannot be read
to its end is told, for an unread file is no clean one.
"""

from __future__ import annotations

import base64
import binascii
import bz2
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

PIECE_BYTES_MAX = 8 << 20
MEMBERS_MAX = 5_000
WHOLE_BYTES_MAX = 64 << 20
DEPTH_MAX = 3
CLOSED = {b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf": "7z", b"Rar!": "rar", b"\x04\x22\x4d\x18": "lz4"}
_BASE64 = re.compile(rb"[A-Za-z0-9+/\r\n]{64,}={0,2}")
Add = Callable[[str, bytes], None]


@dataclass(frozen=True, slots=True)
class Piece:
    """Something inside a file: where (`file!member`), its bytes; or why it was not read."""

    where: str
    data: bytes = b""
    unread: str = ""


def pieces(where: str, data: bytes, depth: int = 0) -> Iterator[Piece]:
    """All that lies inside `data`, one packing in another up to `DEPTH_MAX` deep; `data` itself is not among it."""
    for inner in _inside(where, data):
        yield inner
        if inner.unread:
            continue
        if depth + 1 < DEPTH_MAX:
            yield from pieces(inner.where, inner.data, depth + 1)
        elif is_packed(inner.data):
            yield Piece(inner.where, unread=f"packed more than {DEPTH_MAX} times")


def is_packed(data: bytes) -> bool:
    """Does it begin as an archive or a compressed file does? The first 512 bytes are enough."""
    head = data[:4]
    return (
        head in CLOSED or head[:2] == b"\x1f\x8b" or head[:3] == b"BZh" or head in (b"\xfd7zX", b"PK\3\4") or _tar(data)
    )


def _tar(data: bytes) -> bool:
    return data[257:262] == b"ustar"


def _inside(where: str, data: bytes) -> Iterator[Piece]:
    head = data[:4]
    if head in CLOSED:
        yield Piece(where, unread=f"{CLOSED[head]} is not read")
    elif head[:2] == b"\x1f\x8b":
        yield from _stream(f"{where}!gzip", data, lambda: zlib.decompressobj(31))
    elif head[:3] == b"BZh":
        yield from _stream(f"{where}!bzip2", data, bz2.BZ2Decompressor)
    elif head == b"\xfd7zX":
        yield from _stream(f"{where}!xz", data, lambda: lzma.LZMADecompressor(memlimit=256 << 20))
    elif head == b"PK\3\4":
        yield from _zip(where, data)
    elif _tar(data):
        yield from _members(where, data)
    elif b"\0" not in data[:1024]:
        yield from _encoded(where, data)


def _stream(where: str, data: bytes, make: Callable[[], object]) -> Iterator[Piece]:
    """Every member of a compressed stream, as one piece."""
    got = bytearray()
    try:
        while data and len(got) <= PIECE_BYTES_MAX:
            tool = make()
            got += tool.decompress(data, PIECE_BYTES_MAX + 1 - len(got))  # type: ignore[attr-defined]
            if not tool.eof:  # type: ignore[attr-defined]
                break
            data = tool.unused_data.lstrip(b"\0")  # type: ignore[attr-defined]
    except (zlib.error, OSError, EOFError, lzma.LZMAError, ValueError, MemoryError) as error:
        yield Piece(where, unread=f"cannot be read: {error}")
    if len(got) > PIECE_BYTES_MAX:
        yield Piece(where, unread=f"holds more than {PIECE_BYTES_MAX >> 20} MiB")
    yield Piece(where, bytes(got[:PIECE_BYTES_MAX]))


def _zip(where: str, data: bytes) -> Iterator[Piece]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            whole = 0
            for number, info in enumerate(archive.infolist()):
                name = f"{where}!{info.filename}"
                if number >= MEMBERS_MAX or whole > WHOLE_BYTES_MAX:
                    yield Piece(where, unread=f"{len(archive.infolist())} members, {number} of them read")
                    return
                if info.is_dir():
                    continue
                if info.flag_bits & 1:
                    yield Piece(name, unread="it is encrypted")
                    continue
                with archive.open(info) as file:
                    got = file.read(PIECE_BYTES_MAX + 1)
                whole += len(got)
                yield from _capped(name, got)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, zlib.error, EOFError) as error:
        yield Piece(where, unread=f"cannot be read: {error}")


def _members(where: str, data: bytes) -> Iterator[Piece]:
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for number, info in enumerate(archive):
                if number >= MEMBERS_MAX:
                    yield Piece(where, unread=f"more than {MEMBERS_MAX} members")
                    return
                file = archive.extractfile(info) if info.isreg() else None
                if file is not None:
                    yield from _capped(f"{where}!{info.name}", file.read(PIECE_BYTES_MAX + 1))
    except (tarfile.TarError, OSError, ValueError, EOFError, RecursionError) as error:
        yield Piece(where, unread=f"cannot be read: {error}")


def _capped(name: str, got: bytes) -> Iterator[Piece]:
    if len(got) > PIECE_BYTES_MAX:
        yield Piece(name, unread=f"larger than {PIECE_BYTES_MAX >> 20} MiB")
    yield Piece(name, got[:PIECE_BYTES_MAX])


def _encoded(where: str, data: bytes) -> Iterator[Piece]:
    for found in _BASE64.finditer(data):
        text = re.sub(rb"[\r\n]", b"", found[0]).rstrip(b"=")
        if len(text) < 64:
            continue
        try:
            got = base64.b64decode(text + b"=" * (-len(text) % 4))
        except (binascii.Error, ValueError):
            text = text[: len(text) // 4 * 4]
            got = base64.b64decode(text)
        yield Piece(f"{where}!base64 at {found.start()}", got)
