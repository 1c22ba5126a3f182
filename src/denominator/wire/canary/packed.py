"""What is packed inside bytes: base64 and hex runs, gzip, zlib, bzip2, xz and zip, one inside the other, in bounded work."""

from __future__ import annotations

import base64
import binascii
import bz2
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from itertools import islice

OUT_MAX = 4 << 20
MAGIC_MAX = 200
WRAP = re.compile(rb"(?:(?<![ \t\r])[ \t\r]+)?\n[ \t]*")
QUOTED = re.compile(rb"(?:[\"'`][,;+\\ \t\r]*|\\?\r?)\n[+\- ]?(?:[+.#(, \t]*[\"'`]|[# \t]*)")
BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{16,}={0,2}")
HEX = re.compile(rb"(?:[0-9a-fA-F]{2}){10,}")
# The first letters of base64 of the magic numbers below; what stands before them need not be known.
MAGIC64 = re.compile(rb"H4sI|eJ[wxyz]|eN[opqr]|eA[EFGH]|eF[4567]|Qlpo|/Td6W|UEsDB")
GIT = re.compile(rb"^[+ ]?([A-Za-z])([0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]+)$", re.MULTILINE)
Open = Callable[[bytes], bytes]


def unpacked(data: bytes) -> Iterator[tuple[str, bytes]]:
    """(how, bytes) for everything that opens. Rubbish that opens by chance is harmless: nothing is looked for in its name."""
    for text in dict.fromkeys((data, WRAP.sub(b"", data), QUOTED.sub(b"", data))):
        yield "base64", _runs(BASE64, text, _base64)
        yield "hex", _runs(HEX, text, binascii.unhexlify)
        for found in islice(MAGIC64.finditer(text), MAGIC_MAX):
            run = BASE64.match(text, found.start())
            yield "base64", _base64(run[0]) if run else b""
    yield from _git(data)
    yield from _compressed(data)


def _runs(pattern: re.Pattern[bytes], text: bytes, opens: Open) -> bytes:
    """All runs of one encoding, opened, one a line."""
    return b"\n".join(opens(found[0]) for found in pattern.finditer(text))


def _base64(run: bytes) -> bytes:
    """The bytes of a run of either alphabet, with or without padding; a letter too many at its end is left out."""
    plain = run.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
    plain = plain[: len(plain) - (len(plain) % 4 == 1)]
    return base64.b64decode(plain + b"=" * (-len(plain) % 4))


def _git(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Bodies of binary patches: lines of base85, each begun by a letter for its length."""
    if b"GIT binary patch" not in data:
        return
    for part in data.split(b"GIT binary patch")[1:]:
        packed = b""
        for line in GIT.finditer(part):
            size = line[1][0] - (64 if line[1].isupper() else 70)
            try:
                packed += base64.b85decode(line[2])[:size]
            except ValueError:
                break
        yield "git binary patch", _inflate(packed, 15)


def _compressed(data: bytes) -> Iterator[tuple[str, bytes]]:
    for name, magic, opens in FORMATS:
        at = data.find(magic)
        for _ in range(16):
            if at < 0:
                break
            yield name, opens(data[at:])
            at = data.find(magic, at + 1)


def _inflate(data: bytes, bits: int) -> bytes:
    try:
        return zlib.decompressobj(bits).decompress(data, OUT_MAX)
    except zlib.error:
        return b""


def _with(decompressor: Callable[[], object]) -> Open:
    def opens(data: bytes) -> bytes:
        try:
            return decompressor().decompress(data, OUT_MAX)  # type: ignore[attr-defined, no-any-return]
        except (OSError, ValueError, EOFError, lzma.LZMAError):
            return b""

    return opens


def _zip(data: bytes) -> bytes:
    found = b""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                with archive.open(info) as member:
                    found += info.filename.encode("utf-8", "replace") + b"\n" + member.read(OUT_MAX) + b"\n"
                if len(found) > OUT_MAX:
                    break
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zlib.error):
        pass
    return found


FORMATS: tuple[tuple[str, bytes, Open], ...] = (
    ("gzip", b"\x1f\x8b\x08", lambda data: _inflate(data, 31)),
    ("zlib", b"\x78\x01", lambda data: _inflate(data, 15)),
    ("zlib", b"\x78\x5e", lambda data: _inflate(data, 15)),
    ("zlib", b"\x78\x9c", lambda data: _inflate(data, 15)),
    ("zlib", b"\x78\xda", lambda data: _inflate(data, 15)),
    ("bzip2", b"BZh", _with(bz2.BZ2Decompressor)),
    ("xz", b"\xfd7zXZ\0", _with(lzma.LZMADecompressor)),
    ("zip", b"PK\x03\x04", _zip),
)
